// Runs Vendure with a route that places an order in one request and one transaction, with Vendure's own services.
const core = require('@vendure/core')
const { Body, Controller, Post } = require('@nestjs/common')
const { populateInitialData } = require('@vendure/core/cli')

class Orders {
  constructor(contexts, orders, connection, customers) {
    Object.assign(this, { contexts, orders, connection, customers })
  }

  async place({ variantId, shippingMethodId, customer, address }) {
    const outer = await this.contexts.create({ apiType: 'shop' })
    return this.connection.withTransaction(outer, async (ctx) => {
      const { id } = await this.orders.create(ctx)
      succeeded(await this.orders.addItemToOrder(ctx, id, variantId, 1))
      const options = { errorOnExistingUser: false }
      const person = succeeded(await this.customers.createOrUpdate(ctx, customer, options))
      succeeded(await this.orders.addCustomerToOrder(ctx, id, person))
      await this.orders.setShippingAddress(ctx, id, address)
      succeeded(await this.orders.setShippingMethod(ctx, id, [shippingMethodId]))
      succeeded(await this.orders.transitionToState(ctx, id, 'ArrangingPayment'))
      const paid = succeeded(await this.orders.addPaymentToOrder(ctx, id, { method: 'standard-payment', metadata: {} }))
      return { id: paid.id, code: paid.code, state: paid.state }
    })
  }
}

// Vendure returns errors as results.
function succeeded(result) {
  if (result?.errorCode) throw new Error(JSON.stringify(result))
  return result
}

// What TypeScript makes of decorators.
const dependencies = [core.RequestContextService, core.OrderService, core.TransactionalConnection, core.CustomerService]
Reflect.decorate([Controller('orders-of-the-bench'), Reflect.metadata('design:paramtypes', dependencies)], Orders)
Body()(Orders.prototype, 'place', 0)
Post()(Orders.prototype, 'place', Object.getOwnPropertyDescriptor(Orders.prototype, 'place'))

class OrdersPlugin {}
core.VendurePlugin({ imports: [core.PluginCommonModule], controllers: [Orders] })(OrdersPlugin)

const { hostname, port, username, password, pathname } = new URL(process.env.DATABASE_URL)
const config = {
  logger: new core.DefaultLogger({ level: core.LogLevel.Error }),
  apiOptions: {
    hostname: '127.0.0.1',
    port: Number(process.env.PORT),
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
  },
  authOptions: {
    tokenMethod: ['bearer'],
    requireVerification: false,
    superadminCredentials: { identifier: 'superadmin', password: 'bench' },
  },
  dbConnectionOptions: {
    type: 'postgres',
    ...{ host: hostname, port: Number(port), username, password, database: pathname.slice(1) },
    synchronize: true,
  },
  paymentOptions: { paymentMethodHandlers: [core.dummyPaymentHandler] },
  plugins: [OrdersPlugin],
}

const settled = { code: core.dummyPaymentHandler.code, arguments: [{ name: 'automaticSettle', value: 'true' }] }
const initialData = {
  addresses: [],
  collections: [],
  defaultLanguage: 'en',
  defaultZone: 'Americas',
  countries: [{ name: 'United States', code: 'US', zone: 'Americas' }],
  taxRates: [{ name: 'Standard Tax', percentage: 20 }],
  shippingMethods: [{ name: 'Standard', price: 500 }],
  paymentMethods: [{ name: 'Standard Payment', handler: settled }],
}

async function main() {
  const app = await core.bootstrap(config)
  await populateInitialData(app, initialData)
  const ctx = await app.get(core.RequestContextService).create({ apiType: 'admin' })
  const named = (more) => [{ languageCode: 'en', name: 'Core panel', ...more }]
  const product = { enabled: true, translations: named({ slug: 'core', description: '' }) }
  const { id } = await app.get(core.ProductService).create(ctx, product)
  const variant = { productId: id, sku: 'CORE', price: 9900, trackInventory: 'FALSE', translations: named() }
  const [made] = await app.get(core.ProductVariantService).create(ctx, [variant])
  const [method] = (await app.get(core.ShippingMethodService).findAll(ctx)).items
  process.send({ variantId: made.id, shippingMethodId: method.id })
}

main().catch((err) => {
  console.error(err)
  process.exit(1)
})
