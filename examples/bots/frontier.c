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
    for (at++; *at != '"'; at++)
        if (*at == '\\')
            at++;
    return at + 1;
}

/* What follows a value. Inside an object or a list only the depth matters, and that strings are passed over whole. */
static const char *past(const char *value) {
    if (*value == '"')
        return past_string(value);
    if (*value != '{' && *value != '[')
        return value + strcspn(value, ",]} \t\r\n");
    int depth = 0;
    do {
        if (*value == '"') {
            value = past_string(value);
            continue;
        }
        depth += (*value == '{' || *value == '[') - (*value == '}' || *value == ']');
        value++;
    } while (depth > 0);
    return value;
}

/* The first element of a list, or the first name in an object. */
static const char *first(const char *list) {
    const char *at = past_space(list + 1);
    return *at == ']' || *at == '}' ? NULL : at;
}

/* The element after one of a list. */
static const char *next(const char *element) {
    const char *at = past_space(past(element));
    return *at == ',' ? past_space(at + 1) : NULL;
}

/* The value of that name in an object. */
static const char *member(const char *object, const char *name) {
    size_t length = strlen(name);
    for (const char *at = first(object); at; ) {
        const char *value = past_space(past_space(past_string(at)) + 1); /* behind the colon */
        if (strncmp(at + 1, name, length) == 0 && at[1 + length] == '"')
            return value;
        at = next(value);
    }
    return NULL;
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
    for (const char *row = first(rows); row; row = next(row), height++) {
        int x = 0;
        for (const char *cell = first(row); cell; cell = next(cell), x++, count++) {
            if (count == room) {
                room = room ? 2 * room : 1024;
                cells = realloc(cells, (size_t)room * sizeof *cells);
                if (!cells)
                    exit(1);
            }
            const char *owner = member(cell, "owner"); /* null is unowned */
            bool mine = *owner != 'n' && strtol(owner, NULL, 10) == me;
            cells[count] = (Cell){x, height, number(cell, "attack_cost"), mine};
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
    const char *me = member(view, "me");
    char id[24];
    snprintf(id, sizeof id, "%.*s", (int)(past(me) - me), me);
    long energy = number(member(member(view, "users"), id), "energy");
    Map map = read_map(member(view, "game_map"), strtol(me, NULL, 10));
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
