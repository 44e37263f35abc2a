import { distance } from 'fastest-levenshtein'
import { Refusal } from '../refusal.ts'
import { clean, decodeText } from '../text.ts'

export interface Delimiters {
  field: string
  component: string
  repetition: string
  escape: string
  subcomponent: string
}

export interface Segment {
  id: string
  /** 1-based line of the file. */
  line: number
  raw: string
  /** The name of a segment that it looks like and is not: "OBX5|", "0BX|", "OBZ|". */
  broken?: string
  /** Counted as HL7 does: fields[3] is PID-3; for MSH, too. Still escaped. */
  fields: string[]
}

export interface Message {
  delimiters: Delimiters
  segments: Segment[]
}

const maxSegments = 50_000
const mllpBytes = ['\x0b', '\x1c']

interface Line {
  line: number
  text: string
}

/**
 * The messages of a file: with or without byte order mark, MLLP bytes and batch headers, indented or not, with any line
 * ends. A line that begins no segment belongs to the one above it, as where a text was broken into lines.
 */
export function readMessages(text: string): Message[] {
  const plain = mllpBytes.reduce((rest, byte) => rest.replaceAll(byte, '\r'), text.replace(/^\uFEFF/, ''))
  const messages: Message[] = []
  let count = 0
  for (const line of linesOf(plain)) {
    if (++count > maxSegments) throw new Refusal('TOO_LARGE')
    const header = /^MSH[^\w\s]/i.test(line.text)
    if (header) messages.push({ delimiters: delimitersOf(line.text), segments: [] })
    const message = messages.at(-1)
    if (message) addLine(message, line)
  }
  return messages
}

function* linesOf(text: string): Generator<Line> {
  let line = 0
  for (const [found] of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)) {
    line++
    if (found.trim() !== '') yield { line, text: found.replace(/[\r\n]+$/, '').trimStart() }
  }
}

function addLine({ delimiters, segments }: Message, { line, text }: Line): void {
  const last = segments.at(-1)
  const id = text.slice(0, 3).toUpperCase()
  const isSegment = /^[A-Z][A-Z0-9]{2}$/.test(id) && (text.length === 3 || text[3] === delimiters.field)
  const broken = last && brokenIn(text, delimiters)
  if (broken) segments.push({ ...segmentOf('', line, text, delimiters), broken })
  else if (isSegment || !last || batchHeader.test(text)) segments.push(segmentOf(id, line, text, delimiters))
  else if (last.id === 'OBX' && (last.fields[11] ?? '') !== '' && !text.includes(delimiters.field)) {
    // The result above is whole: the line can only be a comment on it.
    segments.push({ id: 'NTE', line, raw: text, fields: ['NTE', '', '', text] })
  } else segments.splice(-1, 1, segmentOf(last.id, last.line, `${last.raw}\n${text}`, delimiters))
}

const readIds = ['OBX', 'OBR', 'NTE', 'SPM', 'PID', 'ORC']
/** Others of the standard that look like them. */
const alike = ['ORG', 'ORO', 'PD', 'PDA', 'PRD', 'SID', 'SPR']
/** Fields of a segment that says something. */
const LEAST_FIELDS = 3

/** Which segment a line was meant to be whose name is one letter off, or has something before or behind it. */
function brokenIn(text: string, { field }: Delimiters): string | undefined {
  const [first = '', ...rest] = text.split(field)
  if (rest.length < LEAST_FIELDS || first.length > 6 || readIds.includes(first.toUpperCase())) return undefined
  const name = first
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replaceAll('0', 'O')
    .replace(/\d+$/, '')
  if (name.length < 2 || name.startsWith('Z') || alike.includes(name)) return undefined
  return readIds.find((id) => id === name) ?? readIds.find((id) => distance(id, name) === 1)
}

const batchHeader = /^(FHS|BHS|BTS|FTS)[^\w\s]/

function segmentOf(id: string, line: number, raw: string, { field }: Delimiters): Segment {
  const parts = raw.split(field)
  return { id, line, raw, fields: id === 'MSH' ? ['MSH', field, ...parts.slice(1)] : parts }
}

function delimitersOf(raw: string): Delimiters {
  const [field, component, repetition, escaping, subcomponent] = [...raw.slice(3, 8)]
  if (!field || !component || component === field) throw new Refusal('PARSE_FAILED')
  const orDefault = (mark: string | undefined, standard: string) => (mark && mark !== field ? mark : standard)
  return {
    field,
    component,
    repetition: orDefault(repetition, '~'),
    escape: orDefault(escaping, '\\'),
    subcomponent: orDefault(subcomponent, '&'),
  }
}

/** A component of a field's first repetition, or of the one asked for, unescaped. All counts are from 1. */
export function component(segment: Segment, marks: Delimiters, field: number, number = 1, repetition = 1): string {
  const one = (segment.fields[field] ?? '').split(marks.repetition)[repetition - 1] ?? ''
  const part = one.split(marks.component)[number - 1] ?? ''
  return told(unescapeText(part.split(marks.subcomponent)[0] ?? '', marks))
}

/** All parts of a component. */
export function subcomponents(segment: Segment, marks: Delimiters, field: number, number: number): string[] {
  const [one = ''] = (segment.fields[field] ?? '').split(marks.repetition)
  const part = one.split(marks.component)[number - 1] ?? ''
  return part.split(marks.subcomponent).map((text) => told(unescapeText(text, marks)))
}

/** A whole field as text: its repetitions, unescaped. */
export function repetitions(segment: Segment, marks: Delimiters, field: number): string[] {
  const parts = (segment.fields[field] ?? '').split(marks.repetition)
  return parts.map((part) => told(unescapeText(part, marks))).filter((part) => part !== '')
}

/** Two quotes are HL7's way of saying that there is nothing. */
const told = (text: string) => (text.trim() === '""' ? '' : text.trim())

function unescapeText(text: string, marks: Delimiters): string {
  const signs = new Map([
    ['F', marks.field],
    ['S', marks.component],
    ['T', marks.subcomponent],
    ['R', marks.repetition],
    ['E', marks.escape],
  ])
  const pieces: string[] = []
  let from = 0
  // What stands between two escape characters is a code; a last one without its end is plain text.
  for (let start = text.indexOf(marks.escape); start !== -1; ) {
    const end = text.indexOf(marks.escape, start + 1)
    if (end === -1) break
    const code = text.slice(start + 1, end)
    const meaning = signs.get(code) ?? meaningOf(code)
    if (meaning !== undefined) {
      pieces.push(text.slice(from, start), meaning)
      from = end + 1
    }
    start = text.indexOf(marks.escape, end + 1)
  }
  return pieces.join('') + text.slice(from)
}

/** What a code other than a delimiter says; undefined if it is no code, and stays as it was sent. */
function meaningOf(code: string): string | undefined {
  if (/^\.(br|sp|ce|sk)/i.test(code)) return ' '
  if (/^X([0-9A-F]{2})+$/i.test(code)) return decodeText(Buffer.from(code.slice(1), 'hex'))
  // Highlighting, indents and other character sets say nothing of their own.
  return /^([HN]|\.\w+.*|[CM][0-9A-F]+)$/i.test(code) ? '' : undefined
}

/** The words of a field's first repetition: of its components that hold any. */
export const wordsIn = (segment: Segment, marks: Delimiters, field: number): string =>
  clean([1, 2, 3, 4, 5, 9].map((number) => component(segment, marks, field, number)).join(' '), 200)
