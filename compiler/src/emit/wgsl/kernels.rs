//! The three kernels, the same for every program.
//!
//! Flags of the living are read and written a word at a time by the invocation that owns the word,
//! so that no kernel reads what it also writes elsewhere. `COUNTS` holds dead slots of each chunk
//! after `update`, and dead slots before each chunk after `scan`.

/// Their text. `scan` is dispatched as one workgroup, the others with one a chunk in two
/// dimensions.
pub(super) const TEXT: &str = "
var<workgroup> alive_flags: array<u32, 8>;
var<workgroup> changed_flags: array<atomic<u32>, 8>;
var<workgroup> sums: array<u32, 256>;

// Flags of the 32 slots from `first` that exist.
fn existing(first: u32) -> u32 {
    let count = CAPACITY - min(first, CAPACITY);
    return select((1u << (count & 31u)) - 1u, 0xffffffffu, count >= 32u);
}

// Runs the living and counts the dead of each chunk.
@compute @workgroup_size(256)
fn update(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let chunk = group.x + group.y * groups.x;
    if (chunk >= CHUNKS) {
        return;
    }
    let word = lane >> 5u;
    let flag = 1u << (lane & 31u);
    if (lane < 8u) {
        alive_flags[lane] = slots[chunk * 8u + lane];
    }
    workgroupBarrier();
    if ((alive_flags[word] & flag) != 0u) {
        if (update_particle(chunk * 256u + lane)) {
            atomicOr(&changed_flags[word], flag);
        }
    }
    workgroupBarrier();
    if (lane < 8u) {
        slots[chunk * 8u + lane] = alive_flags[lane] & ~atomicLoad(&changed_flags[lane]);
    }
    if (lane == 0u) {
        var dead = 0u;
        for (var k = 0u; k < 8u; k++) {
            let free = ~alive_flags[k] | atomicLoad(&changed_flags[k]);
            dead += countOneBits(free & existing(chunk * 256u + k * 32u));
        }
        slots[COUNTS + chunk] = dead;
    }
}

// Sums the dead before each chunk and decides how many particles are born. One workgroup: each
// invocation has a run of chunks.
@compute @workgroup_size(256)
fn scan(@builtin(local_invocation_index) lane: u32) {
    let run = (CHUNKS + 255u) / 256u;
    let first = min(lane * run, CHUNKS);
    let end = min(first + run, CHUNKS);
    var sum = 0u;
    for (var chunk = first; chunk < end; chunk++) {
        sum += slots[COUNTS + chunk];
    }
    sums[lane] = sum;
    for (var distance = 1u; distance < 256u; distance <<= 1u) {
        workgroupBarrier();
        var before = 0u;
        if (lane >= distance) {
            before = sums[lane - distance];
        }
        workgroupBarrier();
        sums[lane] += before;
    }
    var before = sums[lane] - sum;
    for (var chunk = first; chunk < end; chunk++) {
        let dead = slots[COUNTS + chunk];
        slots[COUNTS + chunk] = before;
        before += dead;
    }
    if (lane == 255u) {
        let dead = sums[lane];
        let births = min(u.births, dead);
        control.births = births;
        control.next_id += births;
        control.alive = CAPACITY - dead + births;
    }
}

// Fills the lowest dead slots and lists the living.
@compute @workgroup_size(256)
fn birth(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let chunk = group.x + group.y * groups.x;
    if (chunk >= CHUNKS) {
        return;
    }
    let word = lane >> 5u;
    let flag = 1u << (lane & 31u);
    if (lane < 8u) {
        alive_flags[lane] = slots[chunk * 8u + lane];
    }
    workgroupBarrier();
    let slot = chunk * 256u + lane;
    let births = control.births;
    var dead_before = slots[COUNTS + chunk] + countOneBits(~alive_flags[word] & (flag - 1u));
    for (var k = 0u; k < word; k++) {
        dead_before += countOneBits(~alive_flags[k]);
    }
    var lives = (alive_flags[word] & flag) != 0u;
    if (slot < CAPACITY && !lives && dead_before < births) {
        birth_particle(slot, control.next_id - births + dead_before);
        atomicOr(&changed_flags[word], flag);
        lives = true;
    }
    if (lives) {
        // All slots before this one but those that stay dead.
        slots[LIST + slot - (dead_before - min(dead_before, births))] = slot;
    }
    workgroupBarrier();
    if (lane < 8u) {
        slots[chunk * 8u + lane] = alive_flags[lane] | atomicLoad(&changed_flags[lane]);
    }
}
";
