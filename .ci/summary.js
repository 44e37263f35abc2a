// Prints the last lines of the gate from the reports of the test runner: what failed, then the counts.
import { readFileSync } from 'node:fs'

const LINES = 12

/** The first lines of what was wrong, and where. */
const why = (messages) =>
  messages
    .map((message) =>
      message
        .split('\n')
        .slice(0, LINES)
        .map((line) => `    ${line}`)
        .join('\n'),
    )
    .join('\n')

const total = { passed: 0, failed: 0, skipped: 0 }
let files = 0
/** The report in a file, if its run came to an end. */
function reportIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (err) {
    console.log(`failed: ${file}: no report: ${err.message}`)
    process.exitCode = 1
    return undefined
  }
}

for (const file of process.argv.slice(2)) {
  const report = reportIn(file)
  if (!report) continue
  total.passed += report.numPassedTests
  total.failed += report.numFailedTests
  total.skipped += report.numPendingTests + report.numTodoTests
  for (const { name, status, message, assertionResults } of report.testResults) {
    if (status !== 'failed') continue
    files++
    const tests = assertionResults.filter((test) => test.status === 'failed')
    for (const { fullName, failureMessages } of tests)
      console.log(`failed: ${name}: ${fullName}\n${why(failureMessages)}`)
    // A file also fails when what it starts or ends does, with each of its tests right.
    if (tests.length === 0) console.log(`failed: ${name}:\n${why([message])}`)
  }
  if (!report.success && files === 0) console.log(`failed: ${file}: an error outside all tests`)
  if (!report.success) process.exitCode = 1
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped; ${files} files failed`)
if (total.failed > 0 || total.passed === 0) process.exitCode = 1
