//! Tests of `src/cognition/status_means.rs`.

use reelm::cognition::status_means::StatusMeans::{self, *};

/// Answers of servers, and the fault that each tells of.
const ANSWERS: [(i64, &str, StatusMeans); 35] = [
    (500, r#"{"error":{"message":"Failed to parse tool call arguments as JSON","type":"server_error"}}"#, Malformed),
    (500, r#"{"error":{"message":"Failed to parse input at pos 12: <tool_call>"}}"#, Malformed),
    (400, r#"{"error":{"code":"tool_use_failed","message":"Failed to call a function.","failed_generation":"<function=say>"}}"#, Malformed),
    (500, r#"{"error":{"message":"the sparse cache is full"}}"#, Busy),
    (500, "Failed to parse", Busy),
    (503, r#"{"error":{"message":"Failed to parse"}}"#, Busy),
    (429, r#"{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}"#, Busy),
    (
        429,
        r#"{"error":{"code":429,"message":"You exceeded your current quota, please check your plan","status":"RESOURCE_EXHAUSTED"}}"#,
        Busy,
    ),
    (429, r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#, Unusable),
    (429, r#"{"error":{"code":"billing_hard_limit_reached"}}"#, Unusable),
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}"#,
        Unusable,
    ),
    (403, r#"{"error":"Your team has used all available credits or reached its monthly spending limit."}"#, Unusable),
    (402, r#"{"error":{"message":"Insufficient Balance"}}"#, Unusable),
    (402, "", Unusable),
    (401, r#"{"error":{"message":"Incorrect API key provided"}}"#, Unusable),
    (403, r#"{"error":{"message":"Country not supported"}}"#, Unusable),
    (404, r#"{"error":{"message":"model 'tiny' not found"}}"#, Unusable),
    (405, "", Unusable),
    (410, "", Unusable),
    (403, r#"{"error":{"message":"Your input was flagged","metadata":{"reasons":["violence"]}}}"#, Refused),
    (400, r#"{"error":{"code":"content_filter","innererror":{"code":"ResponsibleAIPolicyViolation"}}}"#, Refused),
    (400, r#"{"error":{"message":"maximum context length is 4096 tokens"}}"#, Rejected),
    (400, r#"{"error":{"message":"Unrecognized request argument supplied: parallel_tool_calls"}}"#, Rejected),
    (422, r#"{"detail":[{"loc":["body","parallel_tool_calls"],"msg":"Extra inputs are not permitted: tool call"}]}"#, Rejected),
    (400, "", Rejected),
    (413, "", Rejected),
    (422, r#"{"detail":[{"msg":"field required","input":{"messages":["it is flagged as a tool call"]}}]}"#, Rejected),
    (400, r#"{"detail":[{"msg":"field required","input":"a parser of every tool call"}]}"#, Rejected),
    (415, "", Rejected),
    (431, "", Rejected),
    (451, "", Rejected),
    (408, "", Busy),
    (529, "", Busy),
    (409, "", Other),
    (301, "", Other),
];

#[test]
fn a_status_with_its_words_says_whose_fault_it_is() {
    for (status, body, means) in ANSWERS {
        assert_eq!(StatusMeans::of(status, body), means, "{status} {body}");
    }
}
