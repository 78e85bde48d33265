//! Which part of a picture a cell of a sprite sheet is (spec section 10.1).

use std::fmt;

/// The cells of a picture: rows of equal size, counted from the row at v = 0, without margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Atlas {
    columns: u32,
    rows: u32,
    cell: [f64; 2],
}

impl Atlas {
    /// The cells of a picture of that size in texels. `sheet` is width and height of a cell in texels;
    /// what is not above 0, or missing, is the whole picture's.
    #[must_use]
    pub fn new(sheet: Option<[f64; 2]>, width: u32, height: u32) -> Self {
        let picture = [width.max(1), height.max(1)].map(f64::from);
        let sheet = sheet.unwrap_or_default();
        let side = |axis: usize| if sheet[axis] > 0.0 { sheet[axis] } else { picture[axis] };
        let count = |axis: usize| (picture[axis] / side(axis)).floor().max(1.0) as u32;
        Self {
            columns: count(0),
            rows: count(1),
            cell: [side(0) / picture[0], side(1) / picture[1]],
        }
    }

    /// Cells in a row.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Number of cells.
    #[must_use]
    pub fn frames(&self) -> u32 {
        self.columns.saturating_mul(self.rows)
    }

    /// Width and height of a cell, as parts of the picture's.
    #[must_use]
    pub fn cell(&self) -> [f64; 2] {
        self.cell
    }

    /// Where the picture is read for a place in the quad, (0, 0) its lower left corner and (1, 1) its
    /// upper right one. In a sheet v grows downwards; a picture that is no sheet is read from the row
    /// at v = 0 upwards.
    #[must_use]
    pub fn uv(&self, is_sheet: bool, frame: u32, place: [f64; 2]) -> [f64; 2] {
        if !is_sheet {
            return place;
        }
        let (column, row) = (frame % self.columns, frame / self.columns);
        let [u, v] = [place[0] + f64::from(column), 1.0 - place[1] + f64::from(row)];
        [u * self.cell[0], v * self.cell[1]]
    }
}

/// A particle shows a cell that the picture does not have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameError {
    /// The cell.
    pub frame: f64,
    /// Number of cells.
    pub frames: u32,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, frames } = self;
        write!(f, "resolveSpriteFrame: index {frame} out of range [0, {frames})")
    }
}

impl std::error::Error for FrameError {}

#[cfg(test)]
mod tests {
    use super::Atlas;

    #[test]
    fn cells_are_counted_as_the_contract_counts() {
        let counts = |sheet| {
            let atlas = Atlas::new(sheet, 128, 64);
            (atlas.columns(), atlas.frames(), atlas.cell())
        };
        assert_eq!(counts(Some([32.0, 32.0])), (4, 8, [0.25, 0.5]));
        assert_eq!(counts(Some([0.0, -1.0])), (1, 1, [1.0, 1.0]));
        assert_eq!(counts(Some([50.0, 0.0])), (2, 2, [0.390625, 1.0]));
        assert_eq!(counts(Some([500.0, f64::NAN])), (1, 1, [3.90625, 1.0]));
        assert_eq!(counts(None), (1, 1, [1.0, 1.0]));
    }

    #[test]
    fn rows_of_a_sheet_go_down() {
        let atlas = Atlas::new(Some([32.0, 32.0]), 128, 64);
        assert_eq!(atlas.uv(true, 0, [0.0, 1.0]), [0.0, 0.0]);
        assert_eq!(atlas.uv(true, 6, [1.0, 0.0]), [0.75, 1.0]);
        assert_eq!(atlas.uv(false, 6, [0.25, 0.75]), [0.25, 0.75]);
    }
}
