// The launcher checks for Node 24; this covers running the file directly.
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`Kitlane needs Node 24, and this is Node ${process.versions.node}. Start it with: node bin/kitlane.js`)
  process.exit(1)
}
// These never end by themselves.
const FOLLOWING = new Set(['listen', 'logs'])
// Anyone who reads the output may leave early, as `head` does. A command that works on a database still ends its work.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    if (FOLLOWING.has(process.argv[2] ?? '')) process.exit()
  })
const { run } = await import('./program.ts')
await run(process.argv.slice(2))
