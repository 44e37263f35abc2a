import { type FormatXMLElementFn, IntlMessageFormat } from 'intl-messageformat'
import type { ReactNode } from 'react'

type Values = Readonly<Record<string, string | number>>
type Markup = Readonly<Record<string, ReactNode | FormatXMLElementFn<ReactNode>>>
export type Messages = Readonly<Record<string, string>>

let language = 'en'
let messages: Messages = {}
const formats = new Map<string, IntlMessageFormat>()

/**
 * What `t()` says from now on. Called once, before the first module that says something is loaded: so that texts outside
 * of functions are in that language, too.
 */
export function speak(tag: string, translated: Messages): void {
  language = tag
  messages = translated
}

/** The language that is shown, as a tag for `Intl`. */
export const locale = (): string => language

/**
 * A text in the language that is shown. The English text is the key: what has no translation is shown in English.
 * It is an ICU message: `{name}`, `{count, plural, one {# kit} other {# kits}}`, `{sum, number}`.
 */
export function t(text: string, values?: Values): string {
  const message = messages[text] ?? text
  return values === undefined ? message : String(formatOf(message).format<string>(values))
}

/** A text with markup in it: a tag of the message is a function of what it encloses, a value may be markup. */
export function rich(text: string, values: Markup): ReactNode {
  return formatOf(messages[text] ?? text).format<ReactNode>(values) as ReactNode
}

function formatOf(message: string): IntlMessageFormat {
  const format = formats.get(message) ?? new IntlMessageFormat(message, language)
  formats.set(message, format)
  return format
}
