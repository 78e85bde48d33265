//! Pictures, as data addresses.

use serde_json::json;

use super::blocks::Flow;
use super::maker::Maker;

/// Four by four texels, white in the middle.
const DOT: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAYAAACp8Z5+AAAAT0lEQVR4AQFEALv/AP///0D///9A////QP///0AA////QP//////////////QAD///9A//////////////9AAP///0D///9A////QP///0BVMzbNZVgMIAAAAABJRU5ErkJggg==";
/// Eight by eight texels of any colour.
const NOISE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAYAAADED76LAAABE0lEQVR4AQEIAff+AAD/AP8l2gP/SrUG/2+QCf+Uawz/uUYP/94hEv8D/BX/AGWaw/+/QDn/Geav/3OMJf/NMpv/J9gR/4F+h//bJP3/AMo1hv9Zpm//6BdY/3eIQf8G+Sr/lWoT/yTb/P+zTOX/AC/QSf/zDKX/t0gB/3uEXf8/wLn/A/wV/8c4cf+LdM3/AJRrDP+Nctv/hnmq/3+Aef94h0j/cY4X/2qV5v9jnLX/APkGz/8n2BH/VapT/4N8lf+xTtf/3yAZ/w3yW/87xJ3/AF6hkv/BPkf/JNv8/4d4sf/qFWb/TbIb/7BP0P8T7IX/AMM8Vf9bpH3/8wyl/4t0zf8j3PX/u0Qd/1OsRf/rFG3/0Mua8U8DKH4AAAAASUVORK5CYII=";

impl Maker {
    /// A texture source.
    pub(crate) fn texture(&mut self) -> Flow {
        let fields = json!({
            "url": "",
            "textureDataUrl": *self.random.pick(&[DOT, NOISE]),
            "invertY": self.random.one_in(2),
        });
        let block = self.blocks.add("ParticleTextureSourceBlock", fields, []);
        Flow { block, output: "texture" }
    }
}
