import type { DebianPackage } from './debian.ts'

/** A proof, `npm run prove:<name>`. */
export interface Proof {
  name: string
  debian?: readonly DebianPackage[]
}

/** A proof that the gate runs, by turns or because a file changed that it depends on. */
export interface GateProof extends Proof {
  /** The arguments of its short form. */
  short: readonly string[]
  /** The test files that it runs whole (`prove/tests.ts`), so that the gate leaves them out of `test:all`. It tries them, too. */
  tests?: readonly string[]
  /** `test:all` has a sample of each of its tests. The gate has those of another proof only when that is due. */
  isSampled?: true
  /** Globs of the files that it tries: where a mistake would be found by this proof and might pass the tests. Those of its
   * own program, `prove/<name>.ts` and `prove/<name>/`, need no mention. */
  files: readonly string[]
}

const crashFiles = [
  'src/modules/orders/{bulk,payment}/**',
  'src/modules/orders/{decision,group,jobs,lock,place-one,place-priced,placement,placement-locks}.ts',
  'src/modules/payments/{jobs,refunds,service,settle,start,*queries}.ts',
  'src/modules/credits/{balances,ledger,queries}.ts',
  'src/platform/http/{abandoned-keys,group-commit,idempotency,operator-keys,realm-keys}.ts',
  'src/platform/jobs/*.ts',
  'src/platform/database/{claims,commit,connect,pool,retry,tx,unavailable}.ts',
  'src/platform/database/embedded/**',
]

const webhookFiles = [
  // Not what only names: what may happen, and routes.
  'src/modules/{events,webhooks}/**/!(event-types|routes|schema).ts',
  'src/platform/egress/**',
  'src/platform/jobs/*.ts',
  'src/service/app.ts',
]

// Not the rows, which are types.
const databaseFiles = 'src/platform/database/!(*.gen).ts'

const outageFiles = [
  'src/service/{app,open}.ts',
  databaseFiles,
  'src/platform/http/{load-shedder,drain,health,idempotency,perform*,refusals}.ts',
  'src/platform/jobs/{report-errors,start}.ts',
]

export const gateProofs: readonly GateProof[] = [
  {
    name: 'inputs',
    short: [],
    isSampled: true,
    tests: ['test/database/http.test.ts'],
    files: [
      'src/platform/http/{accept,answer,body,check,csv,error-body,fields,json-shape,lenient,long-json,register}.ts',
      'src/platform/http/{route,server,spelling,validate,wire}.ts',
      'src/{modules,extensions}/**/{schema,*-schema}.ts',
    ],
  },
  {
    name: 'matrices',
    short: [],
    isSampled: true,
    tests: ['grants', 'isolation', 'matrix', 'placement-group'].map((name) => `test/database/${name}.test.ts`),
    files: [
      'src/domain/scopes.ts',
      'src/platform/http/{access,caller,perform*,session-cookie}.ts',
      'src/modules/identity/{grants,rules,*-rules,members,sessions,token-cache,tokens,operator-tokens,users}.ts',
      'src/modules/identity/support-access*.ts',
      'src/platform/database/{process-context,roles,tx}.ts',
      'test/harness/sample.ts',
    ],
  },
  {
    name: 'values',
    short: [],
    isSampled: true,
    tests: ['computed-values', 'evaluation', 'lifecycle', 'shown-units', 'verdict-matrix'].map(
      (name) => `test/unit/${name}.test.ts`,
    ),
    files: [
      'packages/lab-reader/{evaluate,src/facts,src/identify}/**',
      'src/modules/reports/{judge,units}/**',
      'src/modules/kits/{lifecycle,rules}.ts',
      'test/harness/{sample,verdict-*}.ts',
    ],
  },
  {
    name: 'scenarios',
    short: [],
    isSampled: true,
    tests: ['test/database/readable-versions.test.ts', 'test/database/sandbox.test.ts'],
    files: [
      'src/modules/sandbox/**',
      'src/modules/kits/{lifecycle,rules}.ts',
      'src/modules/reports/{read,versions}/**',
      'test/harness/sample.ts',
    ],
  },
  {
    name: 'pages',
    short: [],
    isSampled: true,
    tests: ['test/browser/accessibility.test.ts', 'test/browser/languages.test.ts'],
    files: [
      'web/src/language/**',
      'web/src/components/**',
      'web/src/app/{*.css,brand-palette.ts,theme.ts}',
      'test/harness/{keyboard,overflow,pages,sample}.ts',
    ],
  },
  {
    name: 'plans',
    debian: ['postgresql-15'],
    // A sample of the size: `npm run test:all` runs the same on the PostgreSQL that Kitlane brings.
    short: ['--orders', '6000', '--postgres', '15'],
    files: [
      'src/{modules,extensions}/**/{queries,*-queries}.ts',
      'migrations/**',
      'test/database/rows-read.test.ts',
      'test/harness/{calls,large-business,reads-more,route-requests,statements}.ts',
      'bench/growth/{multiply,plan,reseal}.ts',
    ],
  },
  {
    name: 'crash',
    short: ['--rows', '600', '--card-rows', '60', '--orders', '60', '--kills', '4', '--database-kills', '1'],
    files: crashFiles,
  },
  {
    name: 'faults',
    short: [],
    tests: ['crash', 'webhook-crash', 'webhook-faults', 'outage', 'outage-at-start'].map(
      (name) => `test/process/${name}.test.ts`,
    ),
    files: [...crashFiles, ...webhookFiles, ...outageFiles, 'src/cli/{main,start,stop,bring-up}.ts'],
  },
  {
    name: 'pictures',
    short: [],
    tests: ['recognition', 'ocr', 'parse-child', 'large-upload'].map((name) => `test/process/${name}.test.ts`),
    files: [
      'package-lock.json',
      'packages/lab-reader/src/parse/*{child,frame,bytes,sniff,parsed}*.ts',
      'packages/lab-reader/src/parse/{ocr,pdf}/**',
      'src/modules/lab/!(*routes).ts',
      'src/modules/lab/{review,upload}/!(*routes).ts',
      'test/samples/**',
    ],
  },
  {
    name: 'starts',
    short: [],
    tests: ['start', 'embedded', 'held-port', 'install', 'dev', 'hang-up', 'early-ends'].map(
      (name) => `test/process/${name}.test.ts`,
    ),
    files: [
      'package-lock.json',
      'bin/*',
      'src/cli/{audit,bring-up,business,command,demo,doctor,main,migrate,open-database,program}.ts',
      'src/cli/{session,start,stop,verifying}.ts',
      'src/service/{app,load-settings,open,ports}.ts',
      databaseFiles,
      'src/platform/database/embedded/**',
      'web/build/*',
      'test/harness/kitlane.ts',
    ],
  },
  {
    name: 'webhooks',
    short: ['--events', '400', '--kills', '3'],
    files: webhookFiles,
  },
  {
    name: 'disorder',
    short: ['--messages', '300', '--kills', '2'],
    files: [
      'packages/lab-reader/src/{identify,standing}/**',
      'packages/lab-reader/src/parse/{date,status}.ts',
      'packages/lab-reader/src/parse/hl7/**',
      'src/modules/lab/{messages,received,register}/**',
      'src/modules/reports/versions/{receive,withdraw}.ts',
    ],
  },
  {
    name: 'lab-orders',
    short: ['--kits', '300', '--kills', '4'],
    files: [
      'src/modules/lab-orders/**',
      'src/modules/kits/{move,register}.ts',
      'src/modules/kits/consent/*.ts',
      'src/platform/egress/{exchange,client}.ts',
      'src/platform/mllp-frames.ts',
      'src/platform/jobs/*.ts',
      'test/harness/laboratory.ts',
    ],
  },
  {
    name: 'recall',
    short: ['--kits', '3000', '--kills', '1'],
    files: ['src/modules/recalls/**', 'src/modules/stock/lot*.ts', 'src/modules/kits/recall-queries.ts'],
  },
  {
    name: 'outage',
    debian: ['postgresql-15'],
    short: ['--short'],
    files: outageFiles,
  },
  {
    name: 'extensions',
    // One of them: what the core imports is a rule of `test/unit/architecture.test.ts`, too.
    short: ['--only', 'plans'],
    files: ['src/extensions/{index.ts,plans/**}', 'src/modules/{define-module,index}.ts', 'src/service/{app,ports}.ts'],
  },
  {
    name: 'upgrade',
    short: ['--orders', '200'],
    files: [
      'migrations/**',
      'src/platform/database/{migrate,migrations,roles,schema-version}.ts',
      'src/cli/migrate.ts',
    ],
  },
  { name: 'previous', short: ['--short'], files: ['migrations/**', 'prove/upgrade/before.ts'] },
  {
    name: 'cluster',
    debian: ['haproxy', 'pgbouncer', 'patroni', 'etcd-server', 'postgresql-15'],
    short: ['--short'],
    files: [
      'deploy/ha/*',
      'src/service/open.ts',
      'src/platform/database-url.ts',
      'src/platform/database/{connect,heartbeat,listen,pool,replica,server,timeouts,unavailable}.ts',
      'src/platform/http/{drain,health}.ts',
    ],
  },
  {
    name: 'keys',
    short: ['--orders', '200'],
    files: ['src/service/{aws,open-keys}.ts', 'src/cli/keys.ts', 'src/modules/keys/**', 'src/platform/sealing/**'],
  },
  {
    name: 'world',
    debian: ['postgresql-15'],
    // A world takes 80 s, and each run draws another one. Its first 66 journeys have all kinds.
    short: ['--seeds', '1', '--journeys', '68'],
    files: [
      'src/modules/orders/{cancel,remove}.ts',
      'src/modules/{fulfilment,kits,lab}/{advance,carrier,entry,jobs,locate,match,register,ship,unship}.ts',
      'src/modules/{holds,recalls,stock,undelivered}/**',
      'src/modules/lab/messages/**',
      'src/modules/reports/versions/**',
      'src/modules/payments/gateways/*.ts',
      'src/modules/privacy/erase.ts',
      'src/modules/emails/{jobs,queries,send,service,smtp}.ts',
      'src/platform/database/heartbeat.ts',
      'src/platform/jobs/*.ts',
    ],
  },
  {
    name: 'packages',
    debian: ['systemd', 'unzip'],
    short: [],
    files: [
      '{package,package-lock,client/package,web/package}.json',
      'bin/*',
      'deploy/*.{ts,json}',
      'deploy/{helm,systemd}/**',
      'client-python/pyproject.toml',
      'web/build/*',
      'src/cli/start.ts',
      'src/platform/{package-root,shipped}.ts',
    ],
  },
  {
    name: 'backup',
    short: ['--orders', '200'],
    files: [
      'src/service/{aws,restore}.ts',
      'src/cli/{backup,restore}.ts',
      'src/modules/backups/*',
      'src/platform/{backup,files}/*',
      'src/platform/database/{roles,verification*}.ts',
    ],
  },
]

/** A proof that only the nightly workflow runs. */
export interface NightlyProof extends Proof {
  /** Why the gate does not. */
  because: string
}

export const nightlyProofs: readonly NightlyProof[] = [
  { name: 'canaries', because: 'tests of each sealed table find the same sooner; it adds the version before sealing' },
  { name: 'cards', because: 'a gateway that fails in five ways takes a thousand orders: 26 minutes' },
  { name: 'clocks', debian: ['libfaketime'], because: 'jobs run for days of other clocks: 4 minutes' },
  {
    name: 'compose',
    debian: ['docker.io', 'docker-compose', 'buildah', 'mmdebstrap', 'iptables', 'age'],
    because: 'it needs root and namespaces of its own, which a container of the gate may not make',
  },
  { name: 'controls', because: 'each mistake runs a test anew: 12 minutes' },
  { name: 'disk', debian: ['postgresql-15'], because: 'it needs root to mount small disks' },
  { name: 'examples', because: 'it installs the packages of a shop' },
  {
    name: 'image',
    debian: ['buildah', 'podman', 'crun', 'mmdebstrap'],
    because: 'it needs root and makes a base image of Debian packages',
  },
  { name: 'overload', because: 'it measures speed, and the gate may share its machine' },
  {
    name: 'pitr',
    debian: ['postgresql-15', 'pgbackrest'],
    because: 'what it tries is pgBackRest, with our configuration',
  },
  { name: 'pool', because: 'it measures speed, and the gate may share its machine' },
  {
    name: 'restarts',
    debian: ['postgresql-15'],
    because: 'it measures how fast orders come again; prove:outage has the rest',
  },
  { name: 'sigterm', because: 'twenty stops with what is under way: 2 minutes' },
  { name: 'soak', because: 'what leaks shows after two hours' },
  { name: 'zombies', because: 'a worker stands still until others took over: 5 minutes and more' },
]
