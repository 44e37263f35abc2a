import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { childPrograms } from '@kitlane/lab-reader/parse/start-child'
import { expect, inject } from 'vitest'
import { readInThread } from './reader.ts'
import { root } from './sources.ts'

// From source, a child process needs 0.3 s of CPU before it reads its file; compiled, 0.1.
const compiled = inject('compiled')
childPrograms.locate = (url) => {
  const source = relative(root, fileURLToPath(url))
  return pathToFileURL(join(compiled, source.replace(/\.ts$/, '.js')))
}
// Each file of tests decides again. Those of other folders, and the journey, have a process for each file, as production has.
childPrograms.answer = /\/test\/database\//.test(expect.getState().testPath ?? '') ? readInThread : undefined
