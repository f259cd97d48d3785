use super::*;

fn rule(groups: &[&str], resources: &[&str], names: &[&str], verbs: &[&str]) -> Rule {
    let texts = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
    Rule {
        api_groups: texts(groups),
        non_resource_urls: Vec::new(),
        resource_names: texts(names),
        resources: texts(resources),
        verbs: texts(verbs),
    }
}

#[track_caller]
fn check(needs: &[&str], want: &[Rule]) {
    let needs = needs.iter().map(|need| {
        let (verb, resource) = need.split_once(' ').expect("a verb and a resource");
        match resource.split_once(' ') {
            Some((resource, name)) => Need::new(verb, resource).named(name),
            None => Need::new(verb, resource),
        }
    });
    let found = Permissions::of_needs("x", needs);
    assert_eq!(found.roles()[0].rules, want);
}

#[test]
fn verbs_of_a_resource_are_one_rule() {
    check(
        &["get jobs.batch", "get pods", "list jobs.batch", "list pods", "get jobs.batch/status"],
        &[
            rule(&[""], &["pods"], &[], &["get", "list"]),
            rule(&["batch"], &["jobs"], &[], &["get", "list"]),
            rule(&["batch"], &["jobs/status"], &[], &["get"]),
        ],
    );
}

#[test]
fn urls_and_resources_do_not_cover_each_other() {
    let every_url = Need { url: "*".to_owned(), ..Need::new("*", "") };
    let version = Need { url: "/version".to_owned(), ..Need::new("get", "") };
    let pods = Need::new("get", "pods");
    assert!(every_url.covers(&version));
    assert!(!every_url.covers(&pods) && !Need::new("*", "*").covers(&version));
}

#[test]
fn equal_verbs_are_one_rule() {
    check(
        &["get jobs.batch", "get cronjobs.batch", "list pods"],
        &[
            rule(&[""], &["pods"], &[], &["list"]),
            rule(&["batch"], &["cronjobs", "jobs"], &[], &["get"]),
        ],
    );
}

#[test]
fn equal_resources_of_two_groups_are_one_rule() {
    check(
        &[
            "create events",
            "create events.events.k8s.io",
            "patch events.events.k8s.io",
            "patch events",
        ],
        &[rule(&["", "events.k8s.io"], &["events"], &[], &["create", "patch"])],
    );
}

#[test]
fn rules_for_different_names_are_not_merged() {
    check(
        &[
            "get leases.coordination.k8s.io me",
            "create leases.coordination.k8s.io",
            "get leases.coordination.k8s.io you",
        ],
        &[
            rule(&["coordination.k8s.io"], &["leases"], &[], &["create"]),
            rule(&["coordination.k8s.io"], &["leases"], &["me"], &["get"]),
            rule(&["coordination.k8s.io"], &["leases"], &["you"], &["get"]),
        ],
    );
}

#[test]
fn a_rule_for_all_objects_covers_a_name() {
    check(&["get pods me", "get pods"], &[rule(&[""], &["pods"], &[], &["get"])]);
}

#[test]
fn a_cluster_role_comes_first_and_is_not_repeated() {
    let needs = [
        Need::new("list", "pods"),
        Need::new("list", "pods").in_namespace("a"),
        Need::new("patch", "pods").in_namespace("a"),
    ];
    let found = Permissions::of_needs("x", needs);
    let roles: Vec<(&str, &[Rule])> =
        found.roles().iter().map(|role| (role.namespace.as_str(), &role.rules[..])).collect();
    let only = |verb| [rule(&[""], &["pods"], &[], &[verb])];
    assert_eq!(roles, [("", &only("list")[..]), ("a", &only("patch")[..])]);
    let wide = found.cluster_wide();
    assert_eq!(wide.roles().len(), 1);
    assert_eq!(wide.roles()[0].rules, [rule(&[""], &["pods"], &[], &["list", "patch"])]);
    assert_eq!(wide.roles()[0].name, "x");
}

#[test]
fn wildcards_grant_matching_permissions() {
    let granted = "
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: x}
rules:
- {apiGroups: ['*'], resources: ['*/status'], verbs: [patch]}
- {apiGroups: [apps], resources: ['*'], verbs: ['*']}
- {apiGroups: [batch], resources: [jobs], verbs: [get]}
- {nonResourceURLs: ['/metrics'], verbs: [get]}
";
    let granted = Permissions::from_yaml(granted).expect("roles");
    let needed = Permissions::of_needs(
        "x",
        [
            Need::new("patch", "things.example.com/status"),
            Need::new("get", "deployments.apps"),
            Need::new("get", "things.example.com"),
        ],
    );
    assert_eq!(
        needed.compare(&granted).to_string(),
        "missing: get things.example.com\nsuperfluous: get jobs.batch\nsuperfluous: get /metrics\n"
    );
}

#[test]
fn the_error_of_a_template_mentions_helm() {
    let text = "kind: Role\nmetadata:\n  name: {{ .Values.name }}\n";
    let error = Permissions::from_yaml(text).expect_err("a template");
    assert!(error.to_string().contains("`helm template`"), "{error}");
    let text = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: x}\nrules: [{verbs: get}]\n";
    let error = Permissions::from_yaml(text).expect_err("no list");
    assert_eq!(error.to_string(), "line 1: \"x\": rules[0].verbs: must be a list of texts");
}

#[test]
fn written_roles_are_read_back() {
    let needs = [Need::new("get", "pods").in_namespace("a"), Need::new("list", "nodes")];
    let permissions = Permissions::of_needs("x", needs);
    assert_eq!(Permissions::from_yaml(&permissions.to_yaml()), Ok(permissions));
}

#[test]
fn each_role_is_bound_to_a_service_account() {
    let needs = Need::each(["get", "list"], ["pods", "jobs.batch/status"])
        .chain([Need::on_url("get", "/metrics"), Need::new("create", "leases").in_namespace("a")]);
    let permissions = Permissions::of_needs("x", needs);
    let rules = &permissions.roles()[0].rules;
    assert_eq!(
        (rules[0].non_resource_urls.as_slice(), rules.len()),
        (&["/metrics".to_owned()][..], 3)
    );
    assert_eq!(rules[2], rule(&["batch"], &["jobs/status"], &[], &["get", "list"]));
    let subjects = json!([{"kind": "ServiceAccount", "name": "me", "namespace": "b"}]);
    let binding = |kind: &str, metadata: Value| {
        let role = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": "x"});
        json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": format!("{kind}Binding"),
            "metadata": metadata, "roleRef": role, "subjects": subjects,
        })
    };
    let want = [
        binding("ClusterRole", json!({"name": "x"})),
        binding("Role", json!({"name": "x", "namespace": "a"})),
    ];
    assert_eq!(permissions.bindings("b", "me"), want);
}

#[test]
fn the_verb_star_covers_every_verb() {
    let needs = [
        Need::new("*", "pods"),
        Need::new("get", "pods").in_namespace("a"),
        Need::new("get", "pods").named("me"),
        Need::new("list", "pods"),
        Need::new("*", "nodes"),
    ];
    let found = Permissions::of_needs("x", needs);
    assert_eq!(found.roles().len(), 1, "{found:?}");
    assert_eq!(found.roles()[0].rules, [rule(&[""], &["nodes", "pods"], &[], &["*"])]);
}

#[test]
fn equal_needs_are_merged() {
    let mut need = Need::new("get", "");
    need.url = "/metrics".to_owned();
    let found = Permissions::of_needs("x", [need.clone(), need.in_namespace("a")]);
    assert_eq!(found.roles().len(), 1, "{found:?}");
    assert_eq!(found.roles()[0].rules[0].non_resource_urls, ["/metrics"]);
}
