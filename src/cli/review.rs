//! `teddy review [BASE]`: a session for the changes of a branch or the working tree.

use clap::Args;

use super::args::{OutputArgs, PayloadArgs};
use crate::app::options::{BaseRequest, PlanRequest};

/// The arguments of `teddy review`.
#[derive(Debug, Args, Clone)]
pub struct ReviewArgs {
    /// Compare with the merge base of HEAD and this branch, tag or commit; default: the main branch.
    pub base: Option<String>,
    #[command(flatten)]
    pub shape: PayloadArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl ReviewArgs {
    /// The request for a plan.
    pub fn request(&self) -> PlanRequest {
        let base = match &self.base {
            Some(base) => BaseRequest::Named(base.clone()),
            None => BaseRequest::MainBranch,
        };
        let mut payload = self.shape.request();
        payload.base = Some(base);
        PlanRequest { payload, output: self.output.options(), ..PlanRequest::default() }
    }
}
