import { mount } from "svelte";
import App from "./App.svelte";
import { readerLanguage } from "./app/language.svelte";
import "./ui/tokens.css";

const target = document.getElementById("app");
if (target === null) throw new Error("The page has no place for the app.");
await readerLanguage.start();
mount(App, { target });
