//! A complete conversion webhook, with which the API server converts `Endpoint` between `v1beta1` and `v1`.
//!
//! `endpoint_webhook /etc/webhook` serves port 8443 with `tls.crt` and `tls.key` of that directory, the files of a
//! mounted Secret. A second argument replaces the address, such as `127.0.0.1:0` for any free port. The CRD refers to
//! the service `endpoint-conversion` in `default` with the path `/convert`, so the certificate must be for
//! `endpoint-conversion.default.svc`.

use std::error::Error;
use std::io::{self, Write as _};
use std::{env, process::ExitCode};

use crd_examples::host_port::converter;
use crd_webhook::{CertificateFiles, Server, shutdown_signal};

#[tokio::main]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let directory = args.next().unwrap_or_else(|| "/etc/webhook".to_owned());
    let mut server = Server::new(CertificateFiles::in_directory(directory))
        .convert("/convert", converter())
        .notify(|event| log(&event.to_string()));
    if let Some(address) = args.next() {
        server = server.listen(address.parse::<std::net::SocketAddr>()?);
    }
    let bound = server.bind().await?;
    log(&format!("listening on {}", bound.address()));
    bound.serve(shutdown_signal()).await;
    Ok(())
}

fn log(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
