// The program of the thread in reader.ts.
import { parentPort } from 'node:worker_threads'
import { answerTo } from '@kitlane/lab-reader/parse/answer-parent'
import { foundIn } from '@kitlane/lab-reader/parse/found-in'
import type { Asked } from './reader.ts'

parentPort?.on('message', async ({ id, bytes }: Asked) => {
  parentPort?.postMessage({ id, answer: await answerTo(Promise.resolve(bytes), foundIn) })
})
