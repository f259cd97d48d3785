// Command controllers runs those controllers of kube-controller-manager whose work `crd serve` does: the end of
// namespaces, garbage collection, aggregated cluster roles, and the protection of claims and volumes.
//
//	controllers -kubeconfig FILE
//
// It prints the line "ready" once its informers are started, and ends with its standard input.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/clusterroleaggregation"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
	"k8s.io/kubernetes/pkg/controller/namespace"
	"k8s.io/kubernetes/pkg/controller/volume/pvcprotection"
	"k8s.io/kubernetes/pkg/controller/volume/pvprotection"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the file that names the server")
	flag.Parse()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		// Whoever started us holds our standard input: its end is ours.
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	if err := run(ctx, *kubeconfig); err != nil {
		fmt.Fprintln(os.Stderr, "controllers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	// As fast as the server answers, not as a controller manager spares it.
	config.QPS, config.Burst = 1000, 1000
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	objects, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	shared := informers.NewSharedInformerFactory(client, 0)
	started := make(chan struct{})
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client.Discovery()))
	collector, err := garbagecollector.NewGarbageCollector(
		ctx, client, objects, mapper, garbagecollector.DefaultIgnoredResources(),
		informerfactory.NewInformerFactory(shared, metadatainformer.NewSharedInformerFactory(objects, 0)), started)
	if err != nil {
		return err
	}
	core, logger := shared.Core().V1(), klog.FromContext(ctx)
	namespaces := namespace.NewNamespaceController(
		ctx, client, objects, client.Discovery().ServerPreferredNamespacedResources,
		core.Namespaces(), 5*time.Minute, v1.FinalizerKubernetes)
	claims, err := pvcprotection.NewPVCProtectionController(
		logger, core.PersistentVolumeClaims(), core.Pods(), client)
	if err != nil {
		return err
	}
	volumes, err := pvprotection.NewPVProtectionController(logger, core.PersistentVolumes(), client)
	if err != nil {
		return err
	}
	roles := clusterroleaggregation.NewClusterRoleAggregation(shared.Rbac().V1().ClusterRoles(), client.RbacV1())
	shared.Start(ctx.Done())
	close(started)
	go collector.Run(ctx, 5, time.Second)
	go collector.Sync(ctx, client.Discovery(), time.Second)
	go namespaces.Run(ctx, 5)
	go claims.Run(ctx, 1)
	go volumes.Run(ctx, 1)
	go roles.Run(ctx, 1)
	fmt.Println("ready")
	<-ctx.Done()
	return nil
}
