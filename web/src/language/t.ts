import { type FormatXMLElementFn, IntlMessageFormat } from 'intl-messageformat'
import { createElement, Fragment, type ReactNode } from 'react'

type Values = Readonly<Record<string, string | number>>
type Markup = Readonly<Record<string, ReactNode | FormatXMLElementFn<ReactNode>>>
type Messages = Readonly<Record<string, string>>

/** What a language says; English says what stands in the code, and what the service answers. */
export interface Translations {
  /** From the English text of the code. */
  messages: Messages
  /** From the English sentence of the service; `{name}` in it stands for any words, unchanged, `{list}` for names. */
  sentences: Messages
  /** From the code of an error: what happened, and what to do. */
  refusals: Messages
}

let language = 'en'
let messages: Messages = {}
let refusals: Messages = {}
let sentences: Messages = {}
let patterns: readonly [pattern: RegExp, sentence: string][] = []
const formats = new Map<string, IntlMessageFormat>()

/**
 * What `t()` says from now on. Called once, before the first module that says something is loaded: so that texts outside
 * of functions are in that language, too.
 */
export function speak(tag: string, translated: Translations): void {
  language = tag
  formats.clear()
  messages = translated.messages
  refusals = translated.refusals
  sentences = translated.sentences
  patterns = Object.entries(sentences).flatMap(([english, sentence]) =>
    english.includes('{') ? [[patternOf(english), sentence] as const] : [],
  )
}

/** The language that is shown, as a tag for `Intl`. */
export const locale = (): string => language

/**
 * A text in the language that is shown. The English text is the key: what has no translation is shown in English.
 * It is an ICU message: `{name}`, `{count, plural, one {# kit} other {# kits}}`, `{sum, number}`.
 */
export function t(text: string, values?: Values): string {
  const message = messages[text] ?? text
  return values === undefined ? message : String(formatOf(message).format(values))
}

/** A text with markup in it: a tag of the message is a function of what it encloses, a value may be markup. */
export function rich(text: string, values: Markup): ReactNode {
  // As children of their own, the parts need no keys.
  return createElement(Fragment, null, ...[formatOf(messages[text] ?? text).format<ReactNode>(values)].flat())
}

/** A sentence that the service composed, or several, in the language that is shown. One that is not known stays English. */
export function translateSentence(sentence: string): string {
  const whole = translated(sentence)
  if (whole !== undefined) return whole
  const bare = sentence.endsWith('.') ? translated(sentence.slice(0, -1)) : undefined
  if (bare !== undefined) return `${bare}.`
  const parts = sentence.split(/(?<=[.?!]) (?=\p{Lu})/u)
  return parts.length > 1 ? parts.map(translateSentence).join(' ') : sentence
}

function translated(sentence: string): string | undefined {
  const known = sentences[sentence] ?? messages[sentence]
  if (known !== undefined) return known
  for (const [pattern, shown] of patterns) {
    const found = pattern.exec(sentence)?.groups
    if (found)
      return shown.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'list' ? listOf : String)(found[name] ?? ''))
  }
  return undefined
}

/** An English list of names, `A, B, and C`, joined as the language that is shown does. */
function listOf(english: string): string {
  const at = english.lastIndexOf(' and ')
  const names = at < 0 ? [english] : [english.slice(0, at).replace(/,$/, ''), english.slice(at + ' and '.length)]
  return new Intl.ListFormat(language).format(names)
}

// A placeholder does not reach into the next sentence, unless it stands in brackets: titles of sources have full stops.
const patternOf = (english: string): RegExp => {
  const fixed = english.replace(/[\\^$.*+?()[\]|]/g, '\\$&')
  const inBrackets = fixed.replace(/\\\(\{(\w+)\}\\\)/g, '\\((?<$1>.+?)\\)')
  return new RegExp(`^${inBrackets.replace(/\{(\w+)\}/g, '(?<$1>(?:(?![.?!] \\p{Lu}).)+?)')}$`, 'u')
}

/** What an error of the service means, by its code; undefined where its own sentence is shown: in English, or for an unknown code. */
export const refusalOf = (code: string): string | undefined => refusals[code]

function formatOf(message: string): IntlMessageFormat {
  const format = formats.get(message) ?? new IntlMessageFormat(message, language)
  formats.set(message, format)
  return format
}
