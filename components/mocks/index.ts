/** Fakes for the unit tests of programs: with them a program runs without a cluster, a cloud or the Pulumi engine. */
export { FakeCluster, type FakeContent, type FakePod } from "./cluster";
export {
    FAKE_ADDRESS,
    FAKE_DNS_NAME,
    loadBalancerMocks,
    type LoadBalancerMocks,
    type RegisteredResource,
} from "./mocks";
