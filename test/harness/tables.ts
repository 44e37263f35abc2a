import { owners } from './owners.ts'
import { type Source, withoutComments } from './sources.ts'

const names = Object.keys(owners).join('|')
const patterns = (sources: readonly string[]) =>
  sources.map((source) => new RegExp(source.replace('TABLE', `(${names})\\b`), 'gi'))

// As SQL, and as Kysely's builder has it.
const writes = patterns([
  '\\binsert\\s+into\\s+TABLE',
  '\\bupdate\\s+(?:only\\s+)?TABLE\\s+(?:as\\s+)?(?:\\w+\\s+)?set\\b',
  '\\bdelete\\s+from\\s+(?:only\\s+)?TABLE',
  '\\b(?:merge\\s+into|truncate(?:\\s+table)?)\\s+TABLE',
  '\\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\\(\\s*[\'"]TABLE',
])
const reads = patterns([
  '(?<!\\bdelete\\s+)\\b(?:from|join)\\s+(?:only\\s+)?TABLE',
  '\\b(?:selectFrom|(?:inner|left|right|full|cross)Join)\\(\\s*[\'"]TABLE',
])

// Names of tables as values, in a file that puts them into SQL.
const values = patterns(['[\'"]TABLE(?=[\'"])'])

const found = (expressions: readonly RegExp[], { text }: Source): string[] => {
  const code = withoutComments(text)
  return [...new Set(expressions.flatMap((one) => [...code.matchAll(one)].map(([, table = '']) => table)))]
}

/** The tables that a file inserts into, updates or deletes from. */
export const tablesWrittenBy = (file: Source): string[] =>
  found(/\b(insert\s+into|update|delete\s+from)\s+\$\{/.test(file.text) ? [...writes, ...values] : writes, file)

/** The tables that a file selects from or joins. */
export const tablesReadBy = (file: Source): string[] =>
  found(file.text.includes('sql.table(') ? [...reads, ...values] : reads, file)
