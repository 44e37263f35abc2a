// Runs a command with TEST_DATABASE_URL set to a Debian PostgreSQL 15 of its own on loopback, and ends that again.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createCluster, POSTGRES_15 } from './debian-cluster.ts'
import { freePort } from './free-port.ts'

const [command = '', ...args] = process.argv.slice(2)
const password = randomBytes(16).toString('hex')
const cluster = await createCluster(POSTGRES_15, password)
const port = await freePort()
// What a power cut does to this cluster does not matter.
cluster.start(port, '-c max_connections=400 -c fsync=off -c full_page_writes=off')
const TEST_DATABASE_URL = `postgres://kitlane:${password}@127.0.0.1:${port}/postgres`
const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, TEST_DATABASE_URL } })
child.on('exit', async (code) => {
  cluster.stop()
  await cluster.remove()
  process.exitCode = code ?? 1
})
