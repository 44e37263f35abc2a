import { Counter } from 'prom-client'
import type { Logger } from '../log.ts'
import { processFigures } from '../process-figures.ts'

const counted = new Counter({
  name: 'kitlane_slow_statements_total',
  help: 'Statements that took longer than SLOW_STATEMENT_MS, by their name, or by verb and tables.',
  labelNames: ['statement'],
  registers: [processFigures],
})

export interface SlowStatements {
  ms: number
  log: Logger
}

/** Logs and counts a statement that takes too long, from its sending to its answer. Returns its promise. */
export function watchSlow<T>(answer: Promise<T>, slow: SlowStatements, name?: string, text = ''): Promise<T> {
  const sentMs = performance.now()
  const check = () => {
    const tookMs = performance.now() - sentMs
    if (tookMs < slow.ms) return
    const statement = name ?? statementName(text)
    counted.inc({ statement })
    slow.log.warn({ statement, durationMs: Math.round(tookMs) }, 'slow statement')
  }
  answer.then(check, check)
  return answer
}

const VERBS = /\b(insert|update|delete)\b(?! of| skip)/
const TABLES = /\b(?:from|join|into|update)\s+(?:only\s+)?"?([a-z_][\w.]*)"?(?![\w.(])/gi
const WORDS = new Set(['lateral', 'select', 'set', 'of', 'skip', 'nowait', 'where', 'distinct'])
const SHOWN = 4

/** Verb and first tables, such as `update:kits:orders`: what a statement without a name is called. No value is part of it. */
export function statementName(text: string): string {
  const verb = VERBS.exec(text.toLowerCase().replace(/\bfor (no key )?update\b/g, ''))?.[1] ?? 'select'
  const tables = [...text.matchAll(TABLES)].map(([, table = '']) => table.toLowerCase())
  const known = [...new Set(tables)].filter((table) => !WORDS.has(table)).slice(0, SHOWN)
  return [verb, ...known].join(':')
}
