// Runs a command with TEST_DATABASE_URL set to a Debian PostgreSQL 15 of its own on loopback, and ends that again.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BIN = '/usr/lib/postgresql/15/bin'
const NOBODY = 65534

const folder = mkdtempSync(join(tmpdir(), 'kitlane-pg15-'))
const isRoot = process.getuid() === 0
const account = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
if (isRoot) chownSync(folder, NOBODY, NOBODY)

function run(program, args) {
  const { status, stderr } = spawnSync(join(BIN, program), args, { ...account, cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const password = randomBytes(16).toString('hex')
const port = await freePort()
const data = join(folder, 'data')
writeFileSync(join(folder, 'password'), password, { mode: 0o644 })
run('initdb', [
  '-D',
  data,
  '-U',
  'kitlane',
  '-A',
  'scram-sha-256',
  '--pwfile',
  join(folder, 'password'),
  '-E',
  'UTF8',
  '--locale=C.UTF-8',
])
run('pg_ctl', [
  '-D',
  data,
  '-w',
  '-l',
  join(folder, 'log'),
  '-o',
  `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=300`,
  'start',
])

const [command, ...args] = process.argv.slice(2)
const TEST_DATABASE_URL = `postgres://kitlane:${password}@127.0.0.1:${port}/postgres`
const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, TEST_DATABASE_URL } })
child.on('exit', (code) => {
  run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = code ?? 1
})
