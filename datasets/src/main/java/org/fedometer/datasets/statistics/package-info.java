/** What a dataset's objects are like, measured on a sample. */
package org.fedometer.datasets.statistics;
