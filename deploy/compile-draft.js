// Makes the compiled form: `node deploy/compile-draft.js <root> <folder> <package>…`. Its process ends with it: in the one of a
// service, the compiler would hold 400 MB for as long as the service runs. Exit code 3: it cannot be made here.
import { mkdirSync } from 'node:fs'

const [root, folder, ...packages] = process.argv.slice(2)
try {
  mkdirSync(folder, { recursive: true })
  const { bundle } = await import('./bundle.ts')
  await bundle(root, folder, packages)
} catch (error) {
  const isMissing = error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes("'rolldown'")
  if (!isMissing && !['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
  process.exit(3)
}
