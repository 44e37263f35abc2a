// The launcher checks for Node 24; this covers running the file directly.
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`Kitlane needs Node 24, and this is Node ${process.versions.node}. Start it with: node bin/kitlane.js`)
  process.exit(1)
}
const { run } = await import('./program.ts')
await run(process.argv.slice(2))
