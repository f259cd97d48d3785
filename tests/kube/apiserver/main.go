// Command apiserver runs kube-apiserver with an embedded etcd in one process, on loopback, for tests.
//
//	apiserver -dir DIR
//
// It keeps certificates, keys and data under DIR, writes an admin kubeconfig to DIR/kubeconfig, prints one line
// "ready URL" once the server answers, and ends cleanly on SIGINT, SIGTERM or the end of standard input.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

// startTimeout bounds the wait for etcd and for the API server, each.
const startTimeout = 120 * time.Second

func main() {
	dir := flag.String("dir", "", "where certificates, data and the kubeconfig go")
	flag.Parse()
	if *dir == "" {
		fmt.Fprintln(os.Stderr, "usage: apiserver -dir DIR")
		os.Exit(2)
	}
	if err := run(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "apiserver:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		// Whoever started us holds our standard input: its end is ours.
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()

	etcd, err := startEtcd(filepath.Join(dir, "etcd"))
	if err != nil {
		return fmt.Errorf("etcd: %w", err)
	}
	defer etcd.Close()

	port, err := freePort()
	if err != nil {
		return err
	}
	keyFile := filepath.Join(dir, "service-account.key")
	if err := writeKey(keyFile); err != nil {
		return err
	}
	secret := make([]byte, 16)
	if _, err := rand.Read(secret); err != nil {
		return err
	}
	token := hex.EncodeToString(secret)
	tokenFile := filepath.Join(dir, "tokens.csv")
	if err := os.WriteFile(tokenFile, []byte(token+",admin,admin,system:masters\n"), 0o600); err != nil {
		return err
	}
	certs := filepath.Join(dir, "certs")
	command := app.NewAPIServerCommand()
	command.SilenceUsage = true
	command.SetArgs([]string{
		"--etcd-servers=" + etcd.Config().ListenClientUrls[0].String(),
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		// Nobody reaches it by the service `kubernetes`, whose endpoint may not be a loopback address.
		"--endpoint-reconciler-type=none",
		"--secure-port=" + strconv.Itoa(port),
		"--cert-dir=" + certs,
		"--token-auth-file=" + tokenFile,
		"--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + keyFile,
		"--service-account-signing-key-file=" + keyFile,
		"--service-cluster-ip-range=10.0.0.0/24",
		"--disable-admission-plugins=ServiceAccount",
		"--enable-priority-and-fairness=false",
		"--v=0",
	})
	served := make(chan error, 1)
	go func() { served <- command.ExecuteContext(ctx) }()

	address := "https://127.0.0.1:" + strconv.Itoa(port)
	certFile := filepath.Join(certs, "apiserver.crt")
	if err := ready(ctx, address, token, certFile, served); err != nil {
		return err
	}
	config := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters:
- name: test
  cluster:
    server: %s
    certificate-authority: %s
users:
- name: admin
  user:
    token: %s
contexts:
- name: test
  context:
    cluster: test
    user: admin
current-context: test
`, address, strconv.Quote(certFile), token)
	if err := os.WriteFile(filepath.Join(dir, "kubeconfig"), []byte(config), 0o600); err != nil {
		return err
	}
	fmt.Println("ready", address)
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	select {
	case <-served:
	case <-time.After(20 * time.Second):
	}
	return nil
}

func startEtcd(dir string) (*embed.Etcd, error) {
	config := embed.NewConfig()
	config.Dir = dir
	config.LogLevel = "panic"
	config.UnsafeNoFsync = true
	local := func() (url.URL, error) {
		port, err := freePort()
		return url.URL{Scheme: "http", Host: "127.0.0.1:" + strconv.Itoa(port)}, err
	}
	client, err := local()
	if err != nil {
		return nil, err
	}
	peer, err := local()
	if err != nil {
		return nil, err
	}
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return nil, err
	}
	select {
	case <-etcd.Server.ReadyNotify():
		return etcd, nil
	case err := <-etcd.Err():
		return nil, err
	case <-time.After(startTimeout):
		etcd.Close()
		return nil, fmt.Errorf("not ready after %s", startTimeout)
	}
}

func ready(ctx context.Context, address, token, certFile string, served <-chan error) error {
	deadline := time.Now().Add(startTimeout)
	for last := error(nil); ; {
		if time.Now().After(deadline) {
			return fmt.Errorf("not ready after %s: %v", startTimeout, last)
		}
		select {
		case err := <-served:
			return fmt.Errorf("ended early: %v", err)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
		last = probe(ctx, address, token, certFile)
		if last == nil {
			return nil
		}
	}
}

func probe(ctx context.Context, address, token, certFile string) error {
	data, err := os.ReadFile(certFile)
	if err != nil {
		return err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(data)
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}, Timeout: 5 * time.Second}
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/readyz", nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("readyz: %s", response.Status)
	}
	return nil
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

func writeKey(path string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), 0o600)
}
