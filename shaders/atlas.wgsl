// Where the picture is read. Rows of a sheet go down; a picture that is none is read upwards.
fn picture_place(offset: vec2f, cell: f32) -> vec2f {
    let columns = u32(drawing.sheet_and_softness.x);
    if columns == 0u {
        return offset;
    }
    let index = u32(cell);
    let row = index / columns;
    let first = vec2f(f32(index - row * columns), f32(row));
    return (vec2f(offset.x, 1.0 - offset.y) + first) * drawing.pivot_and_cell.zw;
}
