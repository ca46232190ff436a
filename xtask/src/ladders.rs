//! x
use anyhow::Result;
pub(crate) fn run(_c: bool) -> Result<()> {
    Ok(())
}
