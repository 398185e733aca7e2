//! Converts arguments to the requests of the use cases.

use super::args::{OutputArgs, PayloadArgs, PlanArgs, ResumeArgs, TermsArgs};
use crate::app::options::{BaseRequest, OutputOptions, PayloadRequest, PlanRequest, ResumeRequest, TermsRequest};

impl PlanArgs {
    /// The request for a plan.
    pub fn request(&self) -> PlanRequest {
        PlanRequest {
            task: self.task.clone(),
            task_file: self.task_file.clone(),
            session: self.session.clone(),
            message: self.message.clone(),
            plan_file: self.plan.clone(),
            payload: PayloadRequest {
                base: self.base.clone().map(BaseRequest::Named),
                terms: self.terms.request(),
                ..self.payload.request()
            },
            output: self.output.options(),
        }
    }
}

impl ResumeArgs {
    /// The request to continue a session.
    pub fn request(&self) -> ResumeRequest {
        ResumeRequest {
            session: self.session.clone(),
            message: self.message.clone(),
            report: self.report.clone(),
            payload: PayloadRequest { terms: self.terms.request(), ..self.payload.request() },
            output: self.output.options(),
        }
    }
}

impl TermsArgs {
    /// The terms added to the session.
    fn request(&self) -> TermsRequest {
        TermsRequest {
            definition_of_done: self.definition_of_done.clone(),
            constraints: self.constraints.clone(),
            decisions: self.decisions.clone(),
        }
    }
}

impl PayloadArgs {
    /// The payload options.
    pub fn request(&self) -> PayloadRequest {
        let shape = self.clone();
        PayloadRequest {
            budget: shape.budget,
            window: shape.window,
            fill: shape.fill,
            pin: shape.pin,
            store: shape.store,
            demote: shape.demote,
            exclude: shape.exclude,
            link: shape.link,
            only: shape.only,
            profile: shape.profile,
            format: shape.format,
            model: shape.model,
            tokenizer: shape.tokenizer,
            task_type: shape.task_type,
            complexity: shape.complexity,
            phase: shape.phase,
            no_ack: shape.no_ack,
            request: shape.request,
            line_numbers: shape.line_numbers,
            evidence: shape.evidence,
            base: None,
            hops: shape.hops,
            terms: TermsRequest::default(),
            redaction_notes: shape.redaction_notes,
        }
    }
}

impl OutputArgs {
    /// The limits on writing.
    pub fn options(&self) -> OutputOptions {
        OutputOptions { file: self.to.output.clone(), dry_run: self.dry_run }
    }
}
