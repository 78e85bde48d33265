//! The three kernels, the same for every program.
//!
//! The living are told by a bit a slot. `update` clears those of the dying, which are few, and counts them
//! off their group. `scan` has a workgroup a group: it adds up what is dead in the groups before, then in the
//! chunks before, and sets the bits of those that are born. `birth` lists the living and makes the newborn,
//! whose slots it looks up, because a row of lanes takes the same time for one birth as for 32. So no
//! kernel waits for a single workgroup, and those that touch particles have neither barriers nor workgroup
//! memory.

/// Their text. `scan` is dispatched with a workgroup a group, `birth` with one a block and `update` with
/// one a chunk, in two dimensions.
pub(super) const TEXT: &str = "
var<workgroup> dead_before: array<u32, 256>;
var<workgroup> living: array<u32, 256>;

// Runs the living.
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
    let word = chunk * 8u + (lane >> 5u);
    let flag = 1u << (lane & 31u);
    if ((atomicLoad(&slots[word]) & flag) != 0u) {
        if (update_particle(chunk * 256u + lane)) {
            atomicAnd(&slots[word], ~flag);
            atomicSub(&slots[LIVING + (chunk & 7u) * GROUPS + (chunk >> 8u)], 1u);
        }
    }
}

// Tells how many slots are dead before each chunk, and how many particles are born.
@compute @workgroup_size(256)
fn scan(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_id.x + group_id.y * groups.x;
    if (group >= GROUPS) {
        return;
    }
    // The living of the groups before this one, and of all.
    var before = 0u;
    var all = 0u;
    for (var other = lane; other < 8u * GROUPS; other += 256u) {
        let count = atomicLoad(&slots[LIVING + other]);
        all += count;
        before += select(0u, count, other % max(GROUPS, 1u) < group);
    }
    dead_before[lane] = before;
    living[lane] = all;
    for (var half = 128u; half > 0u; half >>= 1u) {
        workgroupBarrier();
        if (lane < half) {
            dead_before[lane] += dead_before[lane + half];
            living[lane] += living[lane + half];
        }
    }
    workgroupBarrier();
    let dead_in_groups = group * 65536u - dead_before[0];
    let dead_in_all = CAPACITY - living[0];
    workgroupBarrier();

    // The dead of each chunk, then of it and all before it in the group.
    let chunk = group * 256u + lane;
    var dead = 0u;
    if (chunk < CHUNKS) {
        dead = min(CAPACITY - chunk * 256u, 256u);
        for (var word = chunk * 8u; word < chunk * 8u + 8u; word++) {
            dead -= countOneBits(atomicLoad(&slots[word]));
        }
    }
    dead_before[lane] = dead;
    for (var distance = 1u; distance < 256u; distance <<= 1u) {
        workgroupBarrier();
        var sum = dead_before[lane];
        if (lane >= distance) {
            sum += dead_before[lane - distance];
        }
        workgroupBarrier();
        dead_before[lane] = sum;
    }
    let births = min(u.births, dead_in_all);
    if (chunk < CHUNKS) {
        mark_births(chunk, dead_in_groups + dead_before[lane] - dead, births);
    }
    if (chunk == 0u) {
        atomicStore(&slots[DEAD + WORDS], dead_in_all);
        control.births = births;
        control.next_id += births;
        control.alive = CAPACITY - dead_in_all + births;
    }
}

// Fills the dead slots of a chunk as long as there are births: in each word the lowest ones.
fn mark_births(chunk: u32, dead_before_chunk: u32, births: u32) {
    var before = dead_before_chunk;
    for (var word = chunk * 8u; word < chunk * 8u + 8u; word++) {
        let flags = atomicLoad(&slots[word]);
        let free = ~flags & existing(word * 32u);
        let count = countOneBits(free);
        var born = free;
        if (before + count > births) {
            born = 0u;
            var rest = free;
            for (var wanted = births - min(before, births); wanted > 0u; wanted--) {
                let lowest = rest & (~rest + 1u);
                born |= lowest;
                rest ^= lowest;
            }
        }
        atomicStore(&slots[BORN + word], born);
        atomicStore(&slots[DEAD + word], before);
        atomicStore(&slots[word], flags | born);
        before += count;
    }
}

// Lists the living and fills the lowest dead slots.
@compute @workgroup_size(256)
fn birth(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = group.x + group.y * groups.x;
    if (block >= BLOCKS) {
        return;
    }
    let births = control.births;
    // Words of this lane, one in each chunk of the block; all are loaded before anything is stored.
    let word = block * 32u + (lane >> 5u);
    let flags_0 = atomicLoad(&slots[word]);
    let flags_1 = atomicLoad(&slots[word + 8u]);
    let flags_2 = atomicLoad(&slots[word + 16u]);
    let flags_3 = atomicLoad(&slots[word + 24u]);
    let dead_0 = atomicLoad(&slots[DEAD + word]);
    let dead_1 = atomicLoad(&slots[DEAD + word + 8u]);
    let dead_2 = atomicLoad(&slots[DEAD + word + 16u]);
    let dead_3 = atomicLoad(&slots[DEAD + word + 24u]);
    let bit = lane & 31u;
    list_living(word, bit, flags_0, dead_0 - min(dead_0, births));
    list_living(word + 8u, bit, flags_1, dead_1 - min(dead_1, births));
    list_living(word + 16u, bit, flags_2, dead_2 - min(dead_2, births));
    list_living(word + 24u, bit, flags_3, dead_3 - min(dead_3, births));
    // The births of a group are counted by its first block.
    if (lane == 0u && (block & 63u) == 0u) {
        let end = min(word + 2048u, WORDS);
        let born = min(atomicLoad(&slots[DEAD + end]), births) - min(dead_0, births);
        atomicAdd(&slots[LIVING + (block >> 6u)], born);
    }
    // Births go to rows of 32 lanes, full ones, evenly among all rows: the others are memory's.
    let row = block * 8u + (lane >> 5u);
    let rows = BLOCKS * 8u;
    let needed = (births >> 5u) + select(0u, 1u, (births & 31u) != 0u);
    let every = max(rows / max(needed, 1u), 1u);
    if (row % every == 0u) {
        for (var run = row / every; run < needed; run += rows) {
            let rank = run * 32u + bit;
            if (rank < births) {
                birth_particle(slot_of_birth(rank), control.next_id - births + rank);
            }
        }
    }
}

// Lists the slot of a bit, if it lives; so many slots of words before this one stay dead.
fn list_living(word: u32, bit: u32, flags: u32, dead: u32) {
    let flag = 1u << bit;
    if ((flags & flag) != 0u) {
        let place = word * 32u - dead + countOneBits(flags & (flag - 1u));
        atomicStore(&slots[LIST + place], word * 32u + bit);
    }
}

// The slot that birth number `rank` of a step fills: in the last word with so few dead before it.
fn slot_of_birth(rank: u32) -> u32 {
    var low = 0u;
    var high = WORDS;
    while (high - low > 1u) {
        let middle = (low + high) >> 1u;
        if (atomicLoad(&slots[DEAD + middle]) <= rank) {
            low = middle;
        } else {
            high = middle;
        }
    }
    var rest = atomicLoad(&slots[BORN + low]);
    for (var before = rank - atomicLoad(&slots[DEAD + low]); before > 0u; before--) {
        rest &= rest - 1u;
    }
    return low * 32u + countTrailingZeros(rest);
}

// Flags of the 32 slots from `first` that exist.
fn existing(first: u32) -> u32 {
    let count = CAPACITY - min(first, CAPACITY);
    return select((1u << (count & 31u)) - 1u, 0xffffffffu, count >= 32u);
}
";
