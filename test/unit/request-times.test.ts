import { expect, it } from 'vitest'
import { RequestTimes } from '../../src/platform/http/metrics.ts'

it('the times of requests are a cumulative histogram for each route and status', () => {
  const times = new RequestTimes()
  times.add('GET', '/orders/:id', 200, 0.001)
  times.add('GET', '/orders/:id', 200, 0.002)
  times.add('GET', '/orders/:id', 200, 6)
  times.add('GET', '/orders/:id', 404, 0.5)
  const lines = times.text().trimEnd().split('\n')
  const found = 'method="GET",route="/orders/:id",status="200"'
  expect(lines.slice(0, 2)).toEqual([
    '# HELP http_request_duration_seconds Time to answer, by route and status.',
    '# TYPE http_request_duration_seconds histogram',
  ])
  expect(lines).toEqual(
    expect.arrayContaining([
      `http_request_duration_seconds_bucket{le="0.001",${found}} 1`,
      `http_request_duration_seconds_bucket{le="0.0025",${found}} 2`,
      `http_request_duration_seconds_bucket{le="5",${found}} 2`,
      `http_request_duration_seconds_bucket{le="+Inf",${found}} 3`,
      `http_request_duration_seconds_sum{${found}} 6.003`,
      `http_request_duration_seconds_count{${found}} 3`,
    ]),
  )
  expect(lines).toHaveLength(2 + 2 * 15)
})
