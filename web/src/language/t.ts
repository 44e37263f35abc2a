import { formatOf, type Messages, type Sentence } from '@kitlane/display/sentence'
import type { FormatXMLElementFn } from 'intl-messageformat'
import { createElement, Fragment, type ReactNode } from 'react'

type Values = Readonly<Record<string, string | number>>
type Markup = Readonly<Record<string, ReactNode | FormatXMLElementFn<ReactNode>>>

/** What a language says; English says what stands in the code. */
export interface Translations {
  /** From the English text of the code. */
  messages: Messages
  /** From the code of an error: what happened, and what to do. */
  refusals: Messages
}

let language = 'en'
let messages: Messages = {}
let refusals: Messages = {}

/**
 * What `t()` says from now on. Called once, before the first module that says something is loaded: so that texts outside
 * of functions are in that language, too.
 */
export function speak(tag: string, translated: Translations): void {
  language = tag
  messages = translated.messages
  refusals = translated.refusals
}

/** The language that is shown, as a tag for `Intl`. */
export const locale = (): string => language

/**
 * A text in the language that is shown. The English text is the key: what has no translation is shown in English.
 * It is an ICU message: `{name}`, `{count, plural, one {# kit} other {# kits}}`, `{sum, number}`.
 */
export function t(text: string, values?: Values): string {
  const message = messages[text] ?? text
  return values === undefined ? message : String(formatOf(message, language).format(values))
}

/** A text with markup in it: a tag of the message is a function of what it encloses, a value may be markup. */
export const rich = (text: string, values: Markup): ReactNode => filled(messages[text] ?? text, values)

/** The same of a message that `t()` gave, where one of many is chosen. */
export function filled(message: string, values: Markup): ReactNode {
  // As children of their own, the parts need no keys.
  return createElement(Fragment, null, ...[formatOf(message, language).format<ReactNode>(values)].flat())
}

/** A sentence of display/ in the language that is shown. */
export const say = (sentence: Sentence): string => sentence.in(language, messages)

/** What an error of the service means, by its code; undefined where its own sentence is shown: in English, or for an unknown code. */
export const refusalOf = (code: string): string | undefined => refusals[code]
