//! Types of k8s-openapi.
