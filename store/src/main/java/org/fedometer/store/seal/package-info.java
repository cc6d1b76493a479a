/**
 * Sealing: a finished segment becomes Parquet files. The collector does it on a separate thread.
 */
package org.fedometer.store.seal;
