/** Times in the organiser's own zone and in UTC. */

import type { Clock } from "../../api/types";

import { language, words } from "../../i18n";

const pad = (value: number): string => String(value).padStart(2, "0");

/** Seconds since 1970 as a `datetime-local` field holds them. */
export function toLocalInput(time: number): string {
  const day = new Date(time * 1000);
  return `${day.getFullYear()}-${pad(day.getMonth() + 1)}-${pad(day.getDate())}T${pad(day.getHours())}:${pad(day.getMinutes())}`;
}

export function fromLocalInput(text: string): number | null {
  const time = new Date(text).getTime();
  return Number.isNaN(time) ? null : time / 1000;
}

export function formatUtc(time: number): string {
  return words.organise.utc(new Date(time * 1000).toISOString().slice(0, 16).replace("T", " "));
}

export function formatTime(time: number): string {
  return new Date(time * 1000).toLocaleString(language === "en" ? "en-GB" : language, { dateStyle: "medium", timeStyle: "short" });
}

export function today(offset = 0): string {
  return new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
}

/** Whole days from one date to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

export function dayAfter(day: string, offset = 1): string {
  return new Date(Date.parse(day) + offset * 86_400_000).toISOString().slice(0, 10);
}

export function formatDuration(seconds: number): string {
  if (seconds >= 86_400 && seconds % 86_400 === 0) return words.count.day(seconds / 86_400);
  if (seconds >= 3600 && seconds % 3600 === 0) return words.count.hour(seconds / 3600);
  if (seconds >= 60 && seconds % 60 === 0) return words.app.minutes(seconds / 60);
  return words.app.seconds(seconds);
}

export function describeClock(clock: Clock | undefined): string {
  if (clock === undefined || clock.kind === "ready") return words.organise.whenAllAreReady;
  if (clock.kind === "times") return words.organise.atUtc(clock.times.join(", "));
  return words.organise.every(formatDuration(clock.seconds));
}
