import { parseArguments, STACK_FLAGS, UsageError } from "./args";
import { historyCommand } from "./history";
import { print } from "./output";
import { stackInit, stackRemove, stackSelect } from "./stacklife";
import { stackList } from "./stacklist";
import { stackOutput } from "./stackoutput";
import { stackShow } from "./stackshow";
import { stackExport, stackImport } from "./stacktransfer";
import { Workspace } from "./workspace";

/** `pulumi stack …`. @returns the exit code */
export async function stackCommand(argv: readonly string[]): Promise<number> {
    const [sub, ...rest] = argv;
    switch (sub) {
        case "init":
            return stackInit(rest);
        case "select":
            return stackSelect(rest);
        case "ls":
        case "list":
            return stackList(rest);
        case "output":
            return stackOutput(rest);
        case "export":
            return stackExport(rest);
        case "import":
            return stackImport(rest);
        case "rm":
        case "remove":
            return stackRemove(rest);
        case "history":
            return historyCommand(rest);
        case "unselect":
            new Workspace(parseArguments(rest, STACK_FLAGS)).select(undefined);
            print("Stack was unselected");
            return 0;
        case "tag":
            return 0;
        default:
            if (sub !== undefined && !sub.startsWith("-"))
                throw new UsageError(`unknown command "${sub}" for "pulumi stack"`);
            return stackShow(argv);
    }
}
