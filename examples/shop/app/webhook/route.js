import { receive, tell } from '../../lib/webhook.js'

export function POST(request) {
  return receive(request, (event) => {
    const line = tell(event)
    if (line) console.log(line)
  })
}
