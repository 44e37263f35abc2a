// Asks in a thread of its own whether the service lives, so that what the proof does itself delays nothing.
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

for (; ; await delay(50)) {
  const since = performance.now()
  const { status } = await fetch(`${workerData}/health/live`)
  parentPort?.postMessage(status === 200 ? performance.now() - since : Number.POSITIVE_INFINITY)
}
