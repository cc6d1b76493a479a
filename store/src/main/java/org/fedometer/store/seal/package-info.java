/** Sealing: a finished segment becomes Parquet files. The collector does it on a thread apart. */
package org.fedometer.store.seal;
