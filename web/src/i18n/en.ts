/** The page's texts in English; the games' own are in their legends. */

export const en = {
  play: {
    add: "Add",
    act: "Do it",
    next: "Next",
    undoStep: "Undo step",
    useAll: "Use all",
    leaveOut: "Leave out",
    keep: "Keep it",
    cancelOrder: "Cancel the order",
    cancelTitle: "Cancel (Esc)",
    loading: "Loading …",
    /** Before an order that harms something of the player's own. */
    destroyOwn: (piece: string) => `Destroy your own ${piece}?`,
    harmOwn: (verb: string, piece: string) => `${verb} your own ${piece}?`,
    harmAlly: (verb: string, piece: string) => `${verb} a ${piece} of your team?`,
    cellRefused: "You can't use that cell. Choose a marked one, or press Esc to cancel.",
    outOfReach: "Out of reach this turn.",
    impossibleNow: "The match has moved on, and this order is not possible any more.",
  },
};
