/** Properties of a dataset's objects, measured on a sample. */
package org.fedometer.datasets.statistics;
