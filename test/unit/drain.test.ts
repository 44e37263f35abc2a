import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import fastify from 'fastify'
import { expect, it } from 'vitest'
import { registerDrain } from '../../src/platform/http/drain.ts'

// Connects, says so by memory that the blocked main thread can wait for, and tells what became of its request.
const CALLER = `
const { parentPort, workerData: { port, flag } } = require('node:worker_threads')
const { get } = require('node:http')
get({ port, host: '127.0.0.1' }, (answer) => answer.resume().on('end', () => parentPort.postMessage(answer.statusCode)))
  .on('socket', (socket) => socket.on('connect', () => { Atomics.store(flag, 0, 1); Atomics.notify(flag, 0) }))
  .on('error', (err) => parentPort.postMessage(err.code))`

it('somebody who connects while a busy process stops is refused with 503, not reset', async () => {
  const app = fastify()
  const drain = registerDrain(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const emptied = drain.empty({ lingerMs: 0, timeoutMs: 5000 })
  const { port } = app.server.address() as AddressInfo
  const caller = new Worker(CALLER, { eval: true, workerData: { port, flag } })
  const outcome = new Promise((resolve) => caller.once('message', resolve))
  // Nothing else runs in this thread until the caller has connected: its connection waits to be accepted.
  expect(Atomics.wait(flag, 0, 0, 60_000)).toBe('ok')
  expect(await outcome).toBe(503)
  await emptied
  await caller.terminate()
  await app.close()
})

it('a process is quiet only while no request is under way', async () => {
  const app = fastify()
  const drain = registerDrain(app)
  const during: number[] = []
  app.get('/', async () => {
    await turn()
    during.push(drain.quietMs())
    return 'done'
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  expect(drain.quietMs()).toBeGreaterThan(0)
  await (await fetch(url)).text()
  expect(during).toEqual([0])
  await expect.poll(() => drain.quietMs()).toBeGreaterThan(0)
  await app.close()
})
