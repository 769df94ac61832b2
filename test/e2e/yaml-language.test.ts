/**
 * Programs in YAML run in the lab, by the language host that the Pulumi CLI comes with.
 * Only a run shows that the lab has the language host.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { takeLab } from "../support/labs";
import { fail, succeed } from "../support/stack";
import { YamlProgram } from "../support/program";

let session: Session;

beforeAll(async () => {
    session = await takeLab("c-yaml", {});
});

afterAll(() => session.lab.stop());

const program = (text: string, field = "data"): string => `
resources:
  note:
    type: kubernetes:core/v1:ConfigMap
    properties: { metadata: { name: note }, ${field}: { text: ${text} } }
  copy:
    type: kubernetes:core/v1:ConfigMap
    properties: { metadata: { name: copy }, data: { text: "\${note.data.text}", of: "\${note.metadata.uid}" } }
`;

test("two objects, one of which takes values of the other, are created, changed and deleted", async () => {
    const stack = await YamlProgram.create(session, "notes", program("one"));
    succeed(await stack.up());
    const find = (name: string) =>
        session.lab.cluster.find<{ metadata: { uid: string }; data: Record<string, string> }>(
            `/api/v1/namespaces/default/configmaps/${name}`,
        );
    const note = await find("note");
    expect((await find("copy"))?.data).toStrictEqual({ text: "one", of: note?.metadata.uid });
    stack.write(program("two", "dta"));
    expect(fail(await stack.preview())).toMatch(/Property dta does not exist on 'kubernetes:core\/v1:ConfigMap'/);
    stack.write(program("two"));
    succeed(await stack.up());
    expect((await find("copy"))?.data["text"]).toBe("two");
    succeed(await stack.up("--expect-no-changes"));
    expect(succeed(await stack.destroy())).toMatch(/3 deleted/);
});
