const NAME = 'http_request_duration_seconds'
const HELP = 'Time to answer, by route and status.'
// Seconds.
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

interface Times {
  /** How many took at most the bound of that place, and longer than the one before it; the last: longer than all. */
  counts: number[]
  sum: number
}

/** A Prometheus histogram of plain numbers. The library's own reads and sorts the labels of every request: 1 µs. */
export class RequestTimes {
  readonly #byLabels = new Map<string, Times>()

  add(method: string, route: string, status: number, seconds: number): void {
    const labels = `method="${method}",route="${route}",status="${status}"`
    let times = this.#byLabels.get(labels)
    if (!times) {
      times = { counts: Array.from({ length: BOUNDS.length + 1 }, () => 0), sum: 0 }
      this.#byLabels.set(labels, times)
    }
    let place = 0
    while (place < BOUNDS.length && seconds > (BOUNDS[place] ?? 0)) place++
    times.counts[place] = (times.counts[place] ?? 0) + 1
    times.sum += seconds
  }

  /** As prom-client shows its histograms. */
  collect() {
    const values = [...this.#byLabels].flatMap(([text, { counts, sum }]) => {
      const labels = Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
      let total = 0
      const buckets = counts.map((count, place) => {
        total += count
        return { metricName: `${NAME}_bucket`, labels: { ...labels, le: BOUNDS[place] ?? '+Inf' }, value: total }
      })
      return [
        ...buckets,
        { metricName: `${NAME}_sum`, labels, value: sum },
        { metricName: `${NAME}_count`, labels, value: total },
      ]
    })
    return { name: NAME, help: HELP, type: 'histogram', aggregator: 'sum', values }
  }

  /** In Prometheus' text format. */
  text(): string {
    const lines = [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`]
    for (const [labels, { counts, sum }] of this.#byLabels) {
      let total = 0
      for (const [place, count] of counts.entries()) {
        total += count
        lines.push(`${NAME}_bucket{le="${BOUNDS[place] ?? '+Inf'}",${labels}} ${total}`)
      }
      lines.push(`${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${total}`)
    }
    return `${lines.join('\n')}\n`
  }
}
