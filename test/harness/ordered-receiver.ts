import type { ServerResponse } from 'node:http'
import { httpReceiver } from './receivers.ts'

export interface Message {
  /** The `webhook-id`. */
  id: string
  type: string
  /** The kit, else the order; empty for what is about neither. */
  about: string
  /** The order, if it says it. */
  order: string
  status: number
}

export interface OrderedReceiver {
  url: string
  /** What was answered, in the order of the requests. */
  heard: Message[]
  stop(): Promise<void>
}

/** A receiver that notes each message and answers what `statusOf` says of it; undefined: `answer` does it later. */
export async function orderedReceiver(
  statusOf: (message: Omit<Message, 'status'>, before: number) => number | undefined,
  answer: (response: ServerResponse, message: Message) => void = () => {},
): Promise<OrderedReceiver> {
  const heard: Message[] = []
  const hook = await httpReceiver((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { type, data } = JSON.parse(Buffer.concat(chunks).toString())
      const id = String(request.headers['webhook-id'])
      const message = { id, type, about: data.kitID ?? data.orderID ?? '', order: data.orderID ?? '' }
      const status = statusOf(message, heard.filter((one) => one.id === id).length)
      const noted = { ...message, status: status ?? 0 }
      heard.push(noted)
      if (status === undefined) answer(response, noted)
      else response.writeHead(status).end()
    })
  })
  return { url: `http://127.0.0.1:${hook.port}/`, heard, stop: hook.stop }
}
