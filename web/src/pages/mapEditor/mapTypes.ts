/** Types of maps by the fields that hold them. */

import type { api } from "../../api/client";
import type { Drawing, GameInfo } from "../../api/types";

/** Everything that a map of a game may hold. */
export type MapSpec = GameInfo["maps"];
/** Something that stands on a cell. */
export type MapObject = NonNullable<Drawing["marks"]>[number];
/** A saved or built-in map with its report. */
export type MapDetails = Awaited<ReturnType<typeof api.map>>;
