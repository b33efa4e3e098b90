/* Frontier, a bot for Colorfight: every turn it takes the cheapest cells along its border, as many as it can pay for.
 *
 * It speaks the lines of docs/bots.md and needs nothing but the standard library:
 *
 *     cc -O2 -o frontier examples/bots/frontier.c
 *     marchland play colorfight --bots cmd:./frontier,greedy --watch
 *
 * Notes go to stderr: stdout is for answers.
 */

#define _POSIX_C_SOURCE 200809L /* getline */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ JSON
 *
 * A value is a pointer to its first character. The host writes correct JSON, so that nothing is checked here; NULL
 * stands for what is missing. Members may come in any order, with or without spaces.
 */

static const char *past_space(const char *at) {
    return at + strspn(at, " \t\r\n");
}

static const char *past_string(const char *at) {
    for (;;) {
        at = strchr(at + 1, '"');
        const char *escape = at; /* an odd number of backslashes before a quotation mark makes it part of the string */
        while (escape[-1] == '\\')
            escape--;
        if ((at - escape) % 2 == 0)
            return at + 1;
    }
}

/* What follows the object or list that one is in. Only the depth matters, and that strings are passed over whole. */
static const char *past_object(const char *at) {
    static const signed char steps[256] = {['{'] = 1, ['['] = 1, ['}'] = -1, [']'] = -1};
    for (int depth = 1; depth > 0; at++) {
        if (*at == '"')
            at = past_string(at) - 1;
        else
            depth += steps[(unsigned char)*at];
    }
    return at;
}

/* What follows a value. */
static const char *past(const char *value) {
    if (*value == '"')
        return past_string(value);
    if (*value == '{' || *value == '[')
        return past_object(value + 1);
    return value + strcspn(value, ",]} \t\r\n");
}

/* The first element of a list, or the first name in an object. */
static const char *first(const char *list) {
    const char *at = past_space(list + 1);
    return *at == ']' || *at == '}' ? NULL : at;
}

/* What follows the comma behind an element of a list or a member of an object, if there is one. */
static const char *next(const char *end) {
    const char *at = past_space(end);
    return *at == ',' ? past_space(at + 1) : NULL;
}

typedef struct {
    const char *name, *value;
} Member;

/* Finds members by name in one pass, since the map is long; returns what follows the last of them that is there. */
static const char *find_members(const char *object, Member *members, int count) {
    const char *end = object + 1;
    int missing = count;
    for (const char *at = first(object); at && missing > 0; at = next(end)) {
        const char *name_end = past_string(at);
        size_t length = (size_t)(name_end - at) - 2;
        const char *value = past_space(past_space(name_end) + 1); /* behind the colon */
        for (int i = 0; i < count; i++)
            if (!members[i].value && strncmp(at + 1, members[i].name, length) == 0 && !members[i].name[length]) {
                members[i].value = value;
                missing--;
            }
        end = past(value);
    }
    return end;
}

/* The value of that name in an object. */
static const char *member(const char *object, const char *name) {
    Member found = {name, NULL};
    find_members(object, &found, 1);
    return found.value;
}

static long number(const char *object, const char *name) {
    return strtol(member(object, name), NULL, 10);
}

/* ------------------------------------------------------------------ the bot */

typedef struct {
    int x, y;
    long cost;
    bool mine;
} Cell;

typedef struct {
    Cell *cells; /* row by row */
    int width, height;
} Map;

static Map read_map(const char *rows, long me) {
    static Cell *cells; /* used again every turn, and larger when it has to be */
    static int room;
    int count = 0, height = 0;
    const char *end = NULL; /* of what was read last */
    for (const char *row = first(rows); row; row = next(past_space(end) + 1), height++) {
        int x = 0;
        for (const char *cell = first(row); cell; cell = next(end), x++, count++) {
            if (count == room) {
                room = room ? 2 * room : 1024;
                cells = realloc(cells, (size_t)room * sizeof *cells);
                if (!cells)
                    exit(1);
            }
            Member known[] = {{"attack_cost", NULL}, {"owner", NULL}};
            end = past_object(find_members(cell, known, 2));
            const char *owner = known[1].value; /* null is unowned */
            bool mine = *owner != 'n' && strtol(owner, NULL, 10) == me;
            cells[count] = (Cell){x, height, strtol(known[0].value, NULL, 10), mine};
        }
    }
    return (Map){cells, height ? count / height : 0, height};
}

static bool is_mine(const Map *map, int x, int y) {
    return x >= 0 && x < map->width && y >= 0 && y < map->height && map->cells[y * map->width + x].mine;
}

/* Cheap cells first; of equal ones the upper, then the left one. */
static int by_price_then_place(const void *left, const void *right) {
    const Cell *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    return a->y != b->y ? a->y - b->y : a->x - b->x;
}

/* Moves the cells that are not mine but lie beside one that is into `border`; returns how many there are. */
static int find_border(const Map *map, Cell *border) {
    int count = 0;
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++)
            if (!is_mine(map, x, y) && (is_mine(map, x, y - 1) || is_mine(map, x + 1, y) || is_mine(map, x, y + 1) ||
                                        is_mine(map, x - 1, y)))
                border[count++] = map->cells[y * map->width + x];
    return count;
}

static void play(const char *view) {
    Member known[] = {{"game_map", NULL}, {"users", NULL}, {"me", NULL}};
    find_members(view, known, 3);
    const char *me = known[2].value;
    char id[24];
    snprintf(id, sizeof id, "%.*s", (int)(past(me) - me), me);
    long energy = number(member(known[1].value, id), "energy");
    Map map = read_map(known[0].value, strtol(me, NULL, 10));
    Cell *border = malloc((size_t)(map.width * map.height + 1) * sizeof *border);
    if (!border)
        exit(1);
    int count = find_border(&map, border);
    qsort(border, (size_t)count, sizeof *border, by_price_then_place);
    for (int i = 0; i < count; i++) {
        long price = border[i].cost > 1 ? border[i].cost : 1;
        if (price > energy)
            break;
        energy -= price;
        printf("%s{\"do\":\"attack\",\"at\":[%d,%d],\"energy\":%ld}", i ? "," : "", border[i].x, border[i].y, price);
    }
    free(border);
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    /* Lines of other types ("start", "end") ask for nothing. When stdin closes, the match is over. */
    while (getline(&line, &room, stdin) > 0) {
        if (strncmp(member(line, "type"), "\"turn\"", 6) != 0)
            continue;
        printf("{\"turn\":%ld,\"orders\":[", number(line, "turn"));
        play(member(line, "view"));
        printf("]}\n");
        fflush(stdout); /* the host waits for the line, not for a full buffer */
    }
    free(line);
    return 0;
}
