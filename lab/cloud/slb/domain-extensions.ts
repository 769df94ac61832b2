import { reads, writes, type Action } from "../actions";
import { refusal, rule, type JsonObject, type ParamSpecs } from "../core";
import type { World } from "../world";
import { checkCertificate } from "./listener-checks";
import { changeable, findListener } from "./lookup";
import type { DomainExtension } from "./state";

const EXISTS = rule({
    id: "slb.domain-extension.exists",
    code: "InvalidParameter.DomainExtensionId",
    message: "The specified DomainExtensionId does not exist.",
    when: "the extra domain is unknown or was deleted",
    source: "testdata/alicloud-plugin (de-gone)",
    enforcement: "always",
});

const DOMAIN_FREE = rule({
    id: "slb.domain-extension.domain-free",
    code: "DomainAlreadyExists",
    message: "Protected DomainName already exists.",
    when: "the listener has the domain already",
    source: "CLB API, common error codes",
});

const QUOTA = rule({
    id: "slb.domain-extension.quota",
    code: "OverQuota",
    message: "The Total is over the quota.",
    when: "the listener would have more extra domains than `quotas.domainExtensionsPerListener`",
    source: "CLB quotas (slb_quota_domain_extensions_num); CLB API, common error codes",
});

const DOMAIN_FORM = rule({
    id: "slb.domain-extension.domain-form",
    code: "DomainMalformed",
    message: "the specified domain is unavailable.",
    when: "the domain is not a host name, optionally with `*.` in front",
    source: "CLB API CreateDomainExtension, parameter Domain; CLB API, common error codes",
});

const LISTENER: ParamSpecs = {
    LoadBalancerId: { required: true },
    ListenerPort: { required: true, min: 1, max: 65535 },
};
const ID: ParamSpecs = { DomainExtensionId: { required: true } };

function find(world: World, id: string): DomainExtension {
    const found = world.slb.domainExtensions.get(id);
    if (found === undefined) throw refusal(EXISTS);
    return found;
}

function of(world: World, loadBalancerId: string, port: number): DomainExtension[] {
    return [...world.slb.domainExtensions.values()].filter(
        (d) => d.loadBalancerId === loadBalancerId && d.listenerPort === port,
    );
}

function view(d: DomainExtension): JsonObject {
    return { DomainExtensionId: d.id, Domain: d.domain, ServerCertificateId: d.certificateId };
}

export const domainExtensionActions: readonly Action[] = [
    writes(
        "CreateDomainExtension",
        { ...LISTENER, Domain: { required: true }, ServerCertificateId: { required: true } },
        (p, world, caller) => {
            const lb = changeable(world, p.need("LoadBalancerId"), caller);
            const port = p.needInt("ListenerPort");
            findListener(world, lb.id, "https", port);
            const domain = p.need("Domain");
            world.rules.check(DOMAIN_FORM, /^(\*\.)?[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)+$/.test(domain));
            const known = of(world, lb.id, port);
            world.rules.check(DOMAIN_FREE, !known.some((d) => d.domain === domain));
            world.rules.check(QUOTA, known.length < world.config.quotas.domainExtensionsPerListener);
            checkCertificate(world, p.need("ServerCertificateId"), "server");
            const id = world.ids.next("de");
            world.slb.domainExtensions.set(id, {
                id,
                loadBalancerId: lb.id,
                listenerPort: port,
                domain,
                certificateId: p.need("ServerCertificateId"),
            });
            return { DomainExtensionId: id, ListenerPort: port };
        },
    ),
    writes("SetDomainExtensionAttribute", { ...ID, ServerCertificateId: { required: true } }, (p, world, caller) => {
        const extension = find(world, p.need("DomainExtensionId"));
        changeable(world, extension.loadBalancerId, caller);
        checkCertificate(world, p.need("ServerCertificateId"), "server");
        extension.certificateId = p.need("ServerCertificateId");
    }),
    writes("DeleteDomainExtension", ID, (p, world, caller) => {
        const extension = find(world, p.need("DomainExtensionId"));
        changeable(world, extension.loadBalancerId, caller);
        world.slb.domainExtensions.delete(extension.id);
    }),
    reads("DescribeDomainExtensionAttribute", ID, (p, world) => {
        const d = find(world, p.need("DomainExtensionId"));
        return { ...view(d), LoadBalancerId: d.loadBalancerId, ListenerPort: d.listenerPort };
    }),
    reads("DescribeDomainExtensions", LISTENER, (p, world) => {
        const found = of(world, p.need("LoadBalancerId"), p.needInt("ListenerPort"));
        return { DomainExtensions: { DomainExtension: found.map(view) } };
    }),
];
