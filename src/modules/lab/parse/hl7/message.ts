import { Refusal } from '../refusal.ts'

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
  /** Counted as HL7 does: fields[3] is PID-3; for MSH, too. Still escaped. */
  fields: string[]
}

export interface Message {
  delimiters: Delimiters
  segments: Segment[]
}

const maxSegments = 50_000
const mllpBytes = ['\x0b', '\x1c']

/** The messages of a file: with or without byte order mark, MLLP bytes and batch headers, with any line ends. */
export function readMessages(text: string): Message[] {
  const plain = mllpBytes.reduce((rest, byte) => rest.replaceAll(byte, '\r'), text.replace(/^\uFEFF/, ''))
  const messages: Message[] = []
  let line = 0
  let count = 0
  for (const found of plain.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)) {
    line++
    const raw = found[0].replace(/[\r\n]+$/, '')
    if (raw.trim() === '') continue
    if (++count > maxSegments) throw new Refusal('TOO_LARGE')
    const id = raw.slice(0, 3)
    if (id === 'MSH') messages.push({ delimiters: delimitersOf(raw), segments: [] })
    const message = messages.at(-1)
    if (!message || !/^[A-Z][A-Z0-9]{2}$/.test(id)) continue
    const parts = raw.split(message.delimiters.field)
    const fields = id === 'MSH' ? ['MSH', message.delimiters.field, ...parts.slice(1)] : parts
    message.segments.push({ id, line, raw, fields })
  }
  return messages
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
  return unescapeText(part.split(marks.subcomponent)[0] ?? '', marks).trim()
}

/** A whole field as text: its repetitions, unescaped. */
export function repetitions(segment: Segment, marks: Delimiters, field: number): string[] {
  const parts = (segment.fields[field] ?? '').split(marks.repetition)
  return parts.map((part) => unescapeText(part, marks).trim()).filter((part) => part !== '')
}

function unescapeText(text: string, marks: Delimiters): string {
  if (!text.includes(marks.escape)) return text
  const pieces = text.split(marks.escape)
  // Pieces 1, 3, 5 … stand between two escape characters; a last one without its end is plain text.
  return pieces
    .map((piece, index) => {
      if (index % 2 === 0) return piece
      if (index === pieces.length - 1) return marks.escape + piece
      return meaningOf(piece, marks)
    })
    .join('')
}

function meaningOf(code: string, marks: Delimiters): string {
  const plain = new Map([
    ['F', marks.field],
    ['S', marks.component],
    ['T', marks.subcomponent],
    ['R', marks.repetition],
    ['E', marks.escape],
  ]).get(code)
  if (plain !== undefined) return plain
  if (/^\.(br|sp|ce)/i.test(code)) return ' '
  if (/^X([0-9A-F]{2})+$/i.test(code)) return Buffer.from(code.slice(1), 'hex').toString('utf8')
  return ''
}
