/** What a process holds once nothing waits to be collected, in MB. */
export interface Held {
  /** V8's objects, of all threads, and the buffers that belong to them. */
  heapMb: number
}

export interface Inspector {
  /** Collects the garbage of every thread, and looks at what stays. */
  collect(): Promise<Held>
  close(): void
}

interface Message {
  id?: number
  method?: string
  params?: { sessionId: string; message: string }
  result?: { result?: { value: string } }
}

const USED = '(({ heapUsed, external }) => String((heapUsed + external) / 2 ** 20))(process.memoryUsage())'

/** Speaks to a process that was started with `--inspect`, and to its threads. */
export async function inspect(port: number): Promise<Inspector> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  let last = 0
  const waiting = new Map<number, { session: string | undefined; resolve(answer: Message | undefined): void }>()
  /** Of the threads that run. */
  const sessions = new Set<string>()

  function receive(message: Message): void {
    const { id, method, params } = message
    if (id !== undefined) {
      waiting.get(id)?.resolve(message)
      waiting.delete(id)
    }
    if (!params) return
    if (method === 'NodeWorker.attachedToWorker') sessions.add(params.sessionId)
    if (method === 'NodeWorker.detachedFromWorker') leave(params.sessionId)
    if (method === 'NodeWorker.receivedMessageFromWorker') receive(JSON.parse(params.message))
  }
  function leave(session: string): void {
    sessions.delete(session)
    for (const one of waiting.values()) if (one.session === session) one.resolve(undefined)
  }
  socket.onmessage = ({ data }) => receive(JSON.parse(String(data)))

  /** Undefined: the thread ended meanwhile. */
  function send(session: string | undefined, method: string, params: object = {}): Promise<Message | undefined> {
    const id = ++last
    const answer = new Promise<Message | undefined>((resolve) => waiting.set(id, { session, resolve }))
    const text = JSON.stringify({ id, method, params })
    if (session === undefined) socket.send(text)
    else void send(undefined, 'NodeWorker.sendMessageToWorker', { sessionId: session, message: text })
    return answer
  }

  async function collectOf(session?: string): Promise<number> {
    await send(session, 'HeapProfiler.collectGarbage')
    const answer = await send(session, 'Runtime.evaluate', { expression: USED })
    return Number(answer?.result?.result?.value ?? 0)
  }

  await send(undefined, 'NodeWorker.enable', { waitForDebuggerOnStart: false })
  return {
    async collect() {
      const all = await Promise.all([undefined, ...sessions].map((session) => collectOf(session)))
      return { heapMb: all.reduce((sum, one) => sum + one, 0) }
    },
    close: () => socket.close(),
  }
}
