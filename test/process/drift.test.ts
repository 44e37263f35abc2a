import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { clientResources } from '../../src/cli/client-resources.ts'
import { pythonClient } from '../../src/cli/python/resources.ts'
import { clientErrors, commandsDocument, commandsOutline, errorsDocument } from '../../src/cli/reference-documents.ts'
import { ROW_TYPES, writeRowTypes } from '../harness/row-types.ts'
import { root } from '../harness/sources.ts'

const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kitlane-drift-'))
})
afterAll(() => rm(folder, { recursive: true }))

// Made in a process of their own, because the order of the routes depends on the real module system. One for all: it loads
// all sources, which takes most of its time.
let documents: Record<'business' | 'dashboard' | 'operator' | 'whole', string>
beforeAll(async () => {
  const program = `const { asText, openApiDocuments, wholeDocument } = await import('./src/cli/openapi-document.ts')
    const documents = { ...openApiDocuments(), whole: wholeDocument() }
    process.stdout.write(JSON.stringify(Object.fromEntries(Object.entries(documents).map(([name, one]) => [name, asText(one)]))))`
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 }
  documents = JSON.parse((await run(process.execPath, ['--input-type=module', '-e', program], options)).stdout)
})

const committed = (path: string) => readFile(join(root, path), 'utf8')

/** Avoids `toBe`, which would print a diff of thousands of lines. */
function expectSame(path: string, text: string, fresh: string, command: string): void {
  const [lines, wanted] = [text.split('\n'), fresh.split('\n')]
  const at = wanted.findIndex((line, index) => line !== lines[index])
  const where = `line ${at + 1} is ${JSON.stringify(lines[at])} and would be ${JSON.stringify(wanted[at])}`
  expect(text === fresh, `${path} is not what its source makes: ${where}. Run: ${command}`).toBe(true)
}

it('the OpenAPI documents are what the routes say', async () => {
  for (const [path, name] of [
    ['openapi.json', 'business'],
    ['openapi-dashboard.json', 'dashboard'],
    ['openapi-operator.json', 'operator'],
  ] as const) {
    expectSame(path, await committed(path), documents[name], 'npm run generate')
  }
})

it('docs/cli.md is what the help of the commands says', async () => {
  expectSame('docs/cli.md', await committed('docs/cli.md'), await commandsDocument(), 'npm run generate')
})

it('the list of commands in kitlane --help is what the commands say', async () => {
  const path = 'src/cli/outline.gen.ts'
  expectSame(path, await committed(path), await commandsOutline(), 'npm run generate')
})

it('docs/errors.md is what the error codes and the routes say', async () => {
  expectSame('docs/errors.md', await committed('docs/errors.md'), errorsDocument(), 'npm run generate')
})

it('the types of the client are what the routes say', async () => {
  const [document, types] = [join(folder, 'openapi.json'), join(folder, 'schema.ts')]
  await writeFile(document, documents.whole)
  // Runs in the client's folder, because the generator needs its TypeScript.
  const require = createRequire(join(root, 'client/package.json'))
  const generator = join(dirname(require.resolve('openapi-typescript/package.json')), 'bin/cli.js')
  await run(process.execPath, [generator, document, '--default-non-nullable=false', '-o', types], {
    cwd: join(root, 'client'),
  })
  const path = 'client/src/schema.gen.ts'
  expectSame(path, await committed(path), await readFile(types, 'utf8'), 'npm run generate')
})

it('the calls of both clients and their error codes are what the document and the codes say', async () => {
  const [calls, codes] = ['client/src/resources.gen.ts', 'client/src/errors.gen.ts'] as const
  const document = JSON.parse(documents.whole)
  expectSame(calls, await committed(calls), clientResources(document), 'npm run generate')
  expectSame(codes, await committed(codes), clientErrors(), 'npm run generate')
  for (const [path, text] of Object.entries(pythonClient(document))) {
    expectSame(path, await committed(path), text, 'npm run generate')
  }
})

it('the types of the rows are what the migrations make', async () => {
  const types = join(folder, 'rows.ts')
  await writeRowTypes(inject('template').owner, types)
  expectSame(ROW_TYPES, await committed(ROW_TYPES), await readFile(types, 'utf8'), 'npm run generate:rows')
})

it('a file that drifted is found, with the command that mends it', () => {
  const drifted = () => expectSame('openapi.json', 'a\nb\n', 'a\nc\n', 'npm run generate')
  expect(drifted).toThrow('line 2 is "b" and would be "c". Run: npm run generate')
})

it('the pictures that the README shows are there, and each is under 300 kB', async () => {
  const shown = [...(await committed('README.md')).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path]) => path ?? '')
  expect(shown.length).toBeGreaterThan(0)
  for (const path of shown) expect((await stat(join(root, path))).size, path).toBeLessThan(300_000)
  expect(await readdir(join(root, 'docs/images'))).toHaveLength(shown.length)
})
