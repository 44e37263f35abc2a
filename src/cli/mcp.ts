import type { Command } from 'commander'
import { findLogin } from './remote/connect.ts'

interface Flags {
  personalData?: boolean
  readOnly?: boolean
}

export function addMcpCommand(root: Command): void {
  root
    .command('mcp')
    .description('Offer the API of a service to an AI assistant: an MCP server on standard input and output.')
    .option('--personal-data', 'show names, addresses, results and other data of people that the token may read')
    .option('--read-only', 'offer only what changes nothing')
    .addHelpText('after', '\nExample:\n  kitlane mcp --read-only')
    .action(async ({ personalData = false, readOnly = false }: Flags) => {
      const { url: baseUrl, token } = await findLogin()
      // Imported here: the library would slow down every other command.
      const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
      const { openRemoteMcp } = await import('./remote/mcp.ts')
      const mcp = await openRemoteMcp({ baseUrl, token, personalData, readOnly })
      await mcp.connect(new StdioServerTransport())
    })
}
