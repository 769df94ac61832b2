import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import * as engine from "@pulumi/pulumi/proto/engine_pb";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import * as resource from "@pulumi/pulumi/proto/resource_pb";

/** Answers a call with the result of `make`. */
function answer<Q, A>(make: (request: Q) => A): grpc.handleUnaryCall<Q, A> {
    return (call, callback) => callback(null, make(call.request));
}

/** A monitor and engine that keep nothing: every registration is answered with its own inputs. */
export async function nullMonitor(): Promise<{ server: grpc.Server; address: string }> {
    const server = new grpc.Server({ "grpc.max_receive_message_length": -1 });
    const refuse: grpc.handleUnaryCall<unknown, unknown> = (_call, callback) =>
        callback({ code: grpc.status.UNIMPLEMENTED });
    const methods = (
        service: grpc.ServiceDefinition,
        known: grpc.UntypedServiceImplementation,
    ): grpc.UntypedServiceImplementation => ({
        ...Object.fromEntries(Object.keys(service).map((name) => [name, refuse])),
        ...known,
    });
    server.addService(
        ResourceMonitorService,
        methods(ResourceMonitorService, {
            supportsFeature: answer((_request: resource.SupportsFeatureRequest) =>
                new resource.SupportsFeatureResponse().setHassupport(true),
            ),
            registerResource: answer((request: resource.RegisterResourceRequest) =>
                new resource.RegisterResourceResponse()
                    .setUrn(`urn:pulumi:dev::scratch::${request.getType()}::${request.getName()}`)
                    .setId(request.getName())
                    .setObject(request.getObject() ?? new Struct()),
            ),
            registerResourceOutputs: answer(() => new Empty()),
            signalAndWaitForShutdown: answer(() => new Empty()),
        }),
    );
    server.addService(
        EngineService,
        methods(EngineService, {
            log: answer(() => new Empty()),
            setRootResource: answer(() => new engine.SetRootResourceResponse()),
            getRootResource: answer(() => new engine.GetRootResourceResponse()),
        }),
    );
    const port = await new Promise<number>((resolve, reject) =>
        server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
            error ? reject(error) : resolve(bound),
        ),
    );
    return { server, address: `127.0.0.1:${port}` };
}
