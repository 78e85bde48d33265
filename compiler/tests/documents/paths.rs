//! Every path that CONTRIBUTING.md names exists: a wrong map is worse than none.

use crate::{read, root};

#[test]
fn contributing_names_paths_that_exist() {
    let text = read("CONTRIBUTING.md");
    // Between two backticks stands code: of each line every second piece.
    let code = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    // `fixtures/ir/<pass>/` stands for a folder of each name.
    let paths = code.map(|code| code.split('<').next().unwrap());
    let paths: Vec<&str> = paths.filter(|path| path.contains('/') && !path.contains(' ')).collect();
    assert!(paths.len() > 20, "{paths:?}");
    for path in paths {
        let exists = ["", "compiler/src"].iter().any(|from| root().join(from).join(path).exists());
        assert!(exists, "{path} does not exist");
    }
}
