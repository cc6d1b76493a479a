/**
 * SQL over sealed runs, in this process or at a remote collector, behind the common interfaces
 * {@link org.fedometer.store.query.Query} and {@link org.fedometer.store.query.Rows}.
 */
package org.fedometer.store.query;
